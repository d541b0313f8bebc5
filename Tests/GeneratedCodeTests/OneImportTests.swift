import Testing
import WireGRPCClient

/// One import provides everything that a user of ``Channel`` needs.
@Suite struct OneImportTests {
  private struct Quiet: ClientInterceptor {
    func start(_ call: inout StartingCall) {
      call.observe { _ in }
    }
  }

  @Test func oneImportProvidesAllChannelOptions() async throws {
    var tls = TLSConfiguration()
    tls.trust = .system
    tls.serverName = "fleet.example"
    let channel = try Channel(
      target: "unix:/nonexistent",
      configuration: ChannelConfiguration(
        security: .tls(tls), proxy: .none, connectTimeout: .seconds(1),
        keepalive: Keepalive(time: .seconds(30)), failFast: true,
        serviceConfig: ServiceConfig(
          retryThrottling: RetryThrottling(maxTokens: 10, tokenRatio: 0.1)),
        interceptors: [Quiet()], trace: { _ in }, metrics: { _ in }))
    let method = MethodDescriptor<Timestamp, Empty>(service: "a.S", method: "M")
    do throws(CallError) {
      _ = try await channel.unary(
        method, Timestamp(seconds: 1), options: CallOptions(compression: .gzip))
      Issue.record("a call to nowhere went well")
    } catch {
      #expect(error.code == .unavailable && error.connectionFailure != nil)
    }
  }

  @Test func oneImportProvidesTheTLSIdentity() {
    let tls = TLSConfiguration(
      trust: .pem([]),
      identity: TLSConfiguration.Identity(certificate: .pem([]), privateKey: .file("/nonexistent")))
    let error = #expect(throws: CallError.self) {
      try Channel(
        target: "fleet.example", configuration: ChannelConfiguration(security: .tls(tls)))
    }
    #expect(error?.kind == .client)
  }
}
