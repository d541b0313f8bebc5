import Synchronization
import TestSupport
import Testing
import WireGRPC
import WireGRPCClient
import WireIO

/// What observers are told of calls that fail before they are sent.
@Suite(.timeLimit(.minutes(20))) struct UnsentCallTests {
  private static let refusing = Doing { _ in throw CancellationError() }

  @Test func whatFailsOnTheWayToTheLoopIsTold() async throws {
    let channel = try Channel(target: "localhost:1")
    func told(_ change: (inout CallOptions) -> Void = { _ in }) async -> [String] {
      let notes = Notes()
      _ = await channel.call {
        $0.metadata = ["x-a": "1"]
        $0.interceptors = [notes]
        change(&$0)
      }
      return notes.all
    }
    let request = [#"start ["x-a"] true"#, "> 3", "> end"]
    #expect(
      await told { $0.interceptors.append(Self.refusing) } == request + ["CANCELLED local /s/m"])
    #expect(
      await told { $0.maxSendMessageSize = 1 } == request + ["RESOURCE_EXHAUSTED local /s/m"])
    #expect(
      await told { $0.metadata = ["te": "1"] }
        == [#"start ["te"] true"#, "> 3", "> end", "INTERNAL local /s/m"])
    #expect(
      await told { $0.interceptors.append(Doing { $0.timeout = .zero }) }
        == request + ["DEADLINE_EXCEEDED local /s/m"])
    await channel.close()
    #expect(await told() == request + ["UNAVAILABLE local /s/m"])
  }

  /// With the metadata that those had given it who came before the one that refuses.
  @Test func aCallThatIsRefusedHasWhatItHadByThen() async throws {
    let channel = try Channel(target: "localhost:1")
    let notes = Notes()
    _ = await channel.call {
      $0.interceptors = [
        notes, Doing { $0.metadata = ["x-a": "1"] }, Self.refusing,
        Doing { $0.metadata = ["x-b": "1"] },
      ]
    }
    #expect(
      notes.all == [#"start ["x-a"] true"#, "> 3", "> end", "CANCELLED local /s/m"])
  }

  @Test func streamsThatFailOnTheWayToTheLoopAreTold() async throws {
    let channel = try Channel(target: "localhost:1")
    func told(
      _ message: [UInt8]? = [1, 2], _ change: (inout CallOptions) -> Void = { _ in }
    ) async -> [String] {
      let notes = Notes()
      let kind: MethodKind = message == nil ? .bidirectional : .serverStreaming
      _ = await channel.open(kind, message, timeout: nil) {
        $0.interceptors = [notes]
        change(&$0)
      }.rest()
      return notes.all
    }
    let request = ["start [] false", "> 2", "> end"]
    #expect(
      await told { $0.interceptors.append(Self.refusing) } == request + ["CANCELLED local /s/m"])
    #expect(
      await told(nil) { $0.interceptors.append(Self.refusing) }
        == ["start [] false", "CANCELLED local /s/m"])
    #expect(
      await told { $0.maxSendMessageSize = 1 }
        == ["start [] false", "RESOURCE_EXHAUSTED local /s/m"])
    await channel.close()
    #expect(await told() == request + ["UNAVAILABLE local /s/m"])
    #expect(await told(nil) == ["start [] false", "UNAVAILABLE local /s/m"])
  }

  /// What its caller had sent by then; and who waits for room is told that it is over.
  @Test func whatAStreamWasGivenBeforeItIsRefusedIsTold() async throws {
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let notes = Notes()
    let refusing = Doing { _ in
      for await _ in gate {}
      throw CancellationError()
    }
    let channel = try Channel(target: "localhost:1")
    let call = channel.open { $0.interceptors = [notes, refusing] }
    try await call.send([UInt8](repeating: 1, count: 20_000))
    async let waiting = call.sendError()
    opening.finish()
    _ = await waiting
    #expect(await call.rest().error?.code == .cancelled)
    #expect(notes.all == ["start [] true", "> 20000", "CANCELLED local /s/m"])
  }

  @Test func callsWithoutAConnectionAreTold() async throws {
    let notes = Notes()
    let channel = try Channel(
      target: SocketAddress.closed.description,
      configuration: ChannelConfiguration(
        security: .plaintext, failFast: true, interceptors: [notes]))
    _ = await channel.call()
    _ = await channel.open(.serverStreaming, [1, 2]).rest()
    await channel.close()
    #expect(
      notes.all == [
        "start [] true", "> 3", "> end", "UNAVAILABLE transport /s/m",
        "start [] true", "> 2", "> end", "UNAVAILABLE transport /s/m",
      ])
  }

  /// The request once, though more than one attempt gets no connection.
  @Test func callsThatTryToConnectAgainAreToldOnce() async throws {
    let notes = Notes()
    let channel = try Channel(
      target: SocketAddress.closed.description,
      configuration: ChannelConfiguration(security: .plaintext, interceptors: [notes]))
    _ = await channel.call {
      $0.retryPolicy = RetryPolicy(
        maxAttempts: 3, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(1),
        backoffMultiplier: 1, retryableStatusCodes: [.unavailable])
    }
    await channel.close()
    let request = ["start [] true", "> 3", "> end"]
    #expect(Array(notes.all.prefix(3)) == request)
    #expect(notes.all.dropFirst(3).map { $0.prefix(6) } == ["failed", "failed", "UNAVAI"])
  }
}
