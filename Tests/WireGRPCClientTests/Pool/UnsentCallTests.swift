import Synchronization
import Testing

@testable import WireGRPC
@testable import WireGRPCClient
@testable import WireIO

/// The events of calls that fail before they are sent.
@Suite(.timeLimit(.minutes(20))) struct UnsentCallTests {
  private static let refusing = ClosureInterceptor { _ in throw CancellationError() }

  @Test func reportsCallsThatFailBeforeTheLoop() async throws {
    let channel = try Channel(target: "localhost:1")
    func reported(_ change: (inout CallOptions) -> Void = { _ in }) async -> [String] {
      let events = EventRecorder()
      _ = await channel.call {
        $0.metadata = ["x-a": "1"]
        $0.interceptors = [events]
        change(&$0)
      }
      return events.all
    }
    let request = [#"start ["x-a"] true"#, "> 3", "> end"]
    #expect(
      await reported { $0.interceptors.append(Self.refusing) } == request + ["CANCELLED local /s/m"]
    )
    #expect(
      await reported { $0.maxSendMessageSize = 1 } == request + ["RESOURCE_EXHAUSTED local /s/m"])
    #expect(
      await reported { $0.metadata = ["te": "1"] }
        == [#"start ["te"] true"#, "> 3", "> end", "INTERNAL local /s/m"])
    #expect(
      await reported { $0.interceptors.append(ClosureInterceptor { $0.timeout = .zero }) }
        == request + ["DEADLINE_EXCEEDED local /s/m"])
    await channel.close()
    #expect(await reported() == request + ["UNAVAILABLE local /s/m"])
  }

  /// The metadata includes the changes of the interceptors before the one that refuses the call.
  @Test func reportsTheMetadataOfARefusedCall() async throws {
    let channel = try Channel(target: "localhost:1")
    let events = EventRecorder()
    _ = await channel.call {
      $0.interceptors = [
        events, ClosureInterceptor { $0.metadata = ["x-a": "1"] }, Self.refusing,
        ClosureInterceptor { $0.metadata = ["x-b": "1"] },
      ]
    }
    #expect(
      events.all == [#"start ["x-a"] true"#, "> 3", "> end", "CANCELLED local /s/m"])
  }

  @Test func reportsStreamsThatFailBeforeTheLoop() async throws {
    let channel = try Channel(target: "localhost:1")
    func reported(
      _ message: [UInt8]? = [1, 2], _ change: (inout CallOptions) -> Void = { _ in }
    ) async -> [String] {
      let events = EventRecorder()
      let kind: MethodKind = message == nil ? .bidirectional : .serverStreaming
      _ = await channel.open(kind, message, timeout: nil) {
        $0.interceptors = [events]
        change(&$0)
      }.rest()
      return events.all
    }
    let request = ["start [] false", "> 2", "> end"]
    #expect(
      await reported { $0.interceptors.append(Self.refusing) } == request + ["CANCELLED local /s/m"]
    )
    #expect(
      await reported(nil) { $0.interceptors.append(Self.refusing) }
        == ["start [] false", "CANCELLED local /s/m"])
    #expect(
      await reported { $0.maxSendMessageSize = 1 }
        == request + ["RESOURCE_EXHAUSTED local /s/m"])
    await channel.close()
    #expect(await reported() == request + ["UNAVAILABLE local /s/m"])
    #expect(await reported(nil) == ["start [] false", "UNAVAILABLE local /s/m"])
  }

  /// The messages sent before the refusal are reported, and waiting senders receive the error.
  @Test func reportsMessagesOfARefusedStream() async throws {
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let events = EventRecorder()
    let refusing = ClosureInterceptor { _ in
      for await _ in gate {}
      throw CancellationError()
    }
    let channel = try Channel(target: "localhost:1")
    let call = channel.open { $0.interceptors = [events, refusing] }
    try await call.send([UInt8](repeating: 1, count: 20_000))
    async let waiting = call.sendError()
    opening.finish()
    _ = await waiting
    #expect(await call.rest().error?.code == .cancelled)
    #expect(events.all == ["start [] true", "> 20000", "CANCELLED local /s/m"])
  }

  @Test func reportsCallsWithoutAConnection() async throws {
    let events = EventRecorder()
    let channel = try Channel(
      target: SocketAddress.closed.description,
      configuration: ChannelConfiguration(
        security: .plaintext, failFast: true, interceptors: [events]))
    _ = await channel.call()
    _ = await channel.open(.serverStreaming, [1, 2]).rest()
    await channel.close()
    #expect(
      events.all == [
        "start [] true", "> 3", "> end", "UNAVAILABLE transport /s/m",
        "start [] true", "> 2", "> end", "UNAVAILABLE transport /s/m",
      ])
  }

  /// The request is reported once, although several attempts get no connection.
  @Test func reportsTheRequestOnceAcrossConnectionAttempts() async throws {
    let events = EventRecorder()
    let channel = try Channel(
      target: SocketAddress.closed.description,
      configuration: ChannelConfiguration(security: .plaintext, interceptors: [events]))
    _ = await channel.call {
      $0.retryPolicy = RetryPolicy(
        maxAttempts: 3, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(1),
        backoffMultiplier: 1, retryableStatusCodes: [.unavailable])
    }
    await channel.close()
    let request = ["start [] true", "> 3", "> end"]
    #expect(Array(events.all.prefix(3)) == request)
    #expect(events.all.dropFirst(3).map { $0.prefix(6) } == ["failed", "failed", "UNAVAI"])
  }
}
