import Testing

@testable import WireGRPC
@testable import WireGRPCClient

@Suite struct ChannelConfigurationTests {
  private typealias Change = @Sendable (inout ChannelConfiguration) -> Void

  private static let faults: [(Change, String)] = [
    ({ $0.connectTimeout = .zero }, "connectTimeout is 0.0 seconds: it must be above 0"),
    (
      { $0.keepalive = Keepalive(time: .seconds(60), timeout: .seconds(-1)) },
      "keepalive.timeout is -1.0 seconds: it must be above 0"
    ),
    ({ $0.idleTimeout = .seconds(-1) }, "idleTimeout is -1.0 seconds: it must not be negative"),
    ({ $0.maxConnections = 0 }, "maxConnections is 0: it must be 1 or more"),
    ({ $0.maxHeaderListSize = 0 }, "maxHeaderListSize is 0: it must be from 1 to 4294967295"),
    (
      { $0.maxHeaderListSize = .max },
      "maxHeaderListSize is 9223372036854775807: it must be from 1 to 4294967295"
    ),
    (
      { $0.serviceConfig.methods[.init(service: "a.S")] = .init(maxSendMessageSize: -1) },
      "serviceConfig: maxSendMessageSize of a.S/ is -1: it must not be negative"
    ),
    (
      { $0.serviceConfig.retryThrottling = RetryThrottling(maxTokens: 0, tokenRatio: 1) },
      "serviceConfig: retryThrottling.maxTokens is 0: it must be from 1 to 1000"
    ),
    (
      { $0.serviceConfig.retryThrottling = RetryThrottling(maxTokens: 1, tokenRatio: .nan) },
      "serviceConfig: retryThrottling.tokenRatio is nan: it must be 0.001 or more"
    ),
  ]

  @Test(arguments: faults.indices)
  func refusesInvalidConfigurations(_ index: Int) {
    let (change, text) = Self.faults[index]
    var configuration = ChannelConfiguration()
    change(&configuration)
    let error = #expect(throws: CallError.self) {
      try Channel(target: "localhost:1", configuration: configuration)
    }
    #expect(error?.connectionFailure?.reason == .configuration)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }

  @Test func acceptsTheLargestNumbers() async throws {
    let configuration = ChannelConfiguration(
      security: .plaintext, connectTimeout: .seconds(Int64.max), maxConnections: .max,
      idleTimeout: .zero, failFast: true, maxHeaderListSize: Int(UInt32.max))
    let channel = try Channel(target: "unix:/nonexistent", configuration: configuration)
    let outcome = await channel.call {
      $0.maxReceiveMessageSize = .max
      $0.maxSendMessageSize = .max
    }
    #expect(outcome.error?.code == .unavailable)
    await channel.close()
  }

  @Test func refusesNegativeLimitsOfCalls() async throws {
    let channel = try Channel(target: "localhost:1")
    for limit in [\CallOptions.maxReceiveMessageSize, \.maxSendMessageSize] {
      let outcome = await channel.call { $0[keyPath: limit] = -1 }
      #expect(outcome.error?.code == .internal && outcome.attempts == 0)
      let error = await channel.open { $0[keyPath: limit] = -1 }.rest().error
      #expect(error?.message.contains(" -1") == true)
    }
  }
}
