import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient
@testable import WireIO

/// Calls that are retried by their policy, over a real socket.
@Suite(.timeLimit(.minutes(20))) struct RetryTests {
  private static func policy(
    _ attempts: Int = 5, backoff: Duration = .milliseconds(1)
  ) -> RetryPolicy {
    RetryPolicy(
      maxAttempts: attempts, initialBackoff: backoff, maxBackoff: backoff, backoffMultiplier: 1,
      retryableStatusCodes: [.unavailable])
  }

  /// Trailers-Only with an error.
  private static func failure(
    _ stream: Int, _ code: Int = 14, _ more: [HeaderField] = []
  ) -> ScriptedServer.Action {
    .frames(
      .headers(
        stream,
        okHeaders + fields(["grpc-status": "\(code)", "grpc-message": "try later"])
          + more, endStream: true))
  }

  /// Responds to each attempt with what `answer` returns for its number, from 0.
  private static func script(
    _ answer: @escaping @Sendable (_ attempt: Int, _ stream: Int) -> [ScriptedServer.Action]
  ) -> ScriptedServer.Script {
    let count = Mutex(0)
    return requestScript { _, stream in
      let attempt = count.withLock { count in
        defer { count += 1 }
        return count
      }
      return answer(attempt, stream)
    }
  }

  private func call(
    _ channel: Channel, _ policy: RetryPolicy = policy(), timeout: Duration = .seconds(3600)
  ) async -> UnaryResult {
    await channel.call(timeout: timeout) { $0.retryPolicy = policy }
  }

  // MARK: Policy

  @Test func retriesUntilTheCallSucceeds() async throws {
    let server = try await ScriptedServer.start(
      Self.script { $0 < 2 ? [Self.failure($1)] : [okResponse($1)] })
    let channel = try Channel(to: server)
    let outcome = await call(channel)
    #expect(outcome.message == [7, 8])
    #expect(outcome.attempts == 3)
    #expect(await server.body(1) == framed([1, 2, 3]))
    #expect(await server.body(5) == framed([1, 2, 3]))
    await server.stop()
  }

  @Test func reportsTheErrorOfEachAttempt() async throws {
    let server = try await ScriptedServer.start(
      Self.script { attempt, stream in
        [attempt == 0 ? .frames(.reset(stream, .refusedStream)) : Self.failure(stream)]
      })
    let channel = try Channel(to: server)
    let outcome = await call(channel, Self.policy(3))
    let error = try #require(outcome.error)
    #expect(error.code == .unavailable)
    #expect(outcome.attempts == 4)
    #expect(
      error.earlierAttempts.map(\.message) == [
        "the server refused the stream", "try later", "try later",
      ])
    #expect(error.earlierAttempts.allSatisfy { $0.peer == server.target })
    #expect(error.earlierAttempts.map { $0.delay > .zero } == [false, true, true])
    await server.stop()
  }

  @Test func traceContainsAttemptsFailuresAndDelays() async throws {
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(Self.script { _, stream in [Self.failure(stream)] })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    _ = await call(channel, Self.policy(2))
    let steps = recorder.events.compactMap { event -> String? in
      switch event.step {
      case .requestHeaders(let headers):
        headers.first { $0.name == "grpc-previous-rpc-attempts" }?.value ?? "first"
      case .retry(let attempt, let failure): "\(attempt) failed: \(failure)"
      case .notRetried(let reason): reason
      case .finished(let code): "\(code)"
      default: nil
      }
    }
    #expect(
      steps == [
        "first", "1 failed: UNAVAILABLE: try later", "1", "the limit of 2 attempts is reached",
        "UNAVAILABLE",
      ])
    await server.stop()
  }

  @Test(arguments: [
    [("grpc-retry-pushback-ms", "-1")], [("grpc-retry-pushback-ms", "soon")],
    [("grpc-retry-pushback-ms", "1"), ("grpc-retry-pushback-ms", "1")],
  ])
  func pushbackForbidsRetries(trailers: [(String, String)]) async throws {
    let server = try await ScriptedServer.start(
      Self.script { _, stream in
        [
          .frames(
            .headers(
              stream,
              okHeaders + fields(["grpc-status": "14"])
                + trailers.map { HeaderField($0.0, $0.1) }, endStream: true))
        ]
      })
    let channel = try Channel(to: server)
    let outcome = await call(channel)
    #expect(outcome.attempts == 1)
    #expect(outcome.error?.retryPushback == .never)
    await server.stop()
  }

  @Test func pushbackSetsTheDelay() async throws {
    let server = try await ScriptedServer.start(
      Self.script { attempt, stream in
        [
          attempt == 0
            ? Self.failure(stream, 14, fields(["grpc-retry-pushback-ms": "0"])) : okResponse(stream)
        ]
      })
    let channel = try Channel(to: server)
    // The policy's own delay would be an hour.
    let outcome = await call(channel, Self.policy(backoff: .seconds(3600)))
    #expect(outcome.message == [7, 8])
    await server.stop()
  }

  @Test func responseHeadersCommitTheCall() async throws {
    let server = try await ScriptedServer.start(
      Self.script { _, stream in
        [
          .frames(
            .headers(stream, okHeaders), .data(stream, framed([1])),
            .headers(stream, fields(["grpc-status": "14"]), endStream: true))
        ]
      })
    let channel = try Channel(to: server)
    let outcome = await call(channel)
    #expect(outcome.error?.code == .unavailable)
    #expect(outcome.attempts == 1)
    await server.stop()
  }

  /// For example a proxy whose backend is down.
  @Test func httpErrorDoesNotCommitTheCall() async throws {
    let server = try await ScriptedServer.start(
      Self.script { attempt, stream in
        guard attempt < 2 else { return [okResponse(stream)] }
        let page = Array("<html>no backend</html>".utf8)
        return [
          .frames(
            .headers(stream, fields([":status": "503", "content-type": "text/html"])),
            .data(stream, page, endStream: true))
        ]
      })
    let channel = try Channel(to: server)
    let outcome = await call(channel)
    #expect(outcome.message == [7, 8])
    #expect(outcome.attempts == 3)
    await server.stop()
  }

  @Test func retriesALostConnectionOnAnother() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in connection < 2 ? [.close] : [okResponse(stream)] })
    let channel = try Channel(to: server)
    let outcome = await call(channel)
    #expect(outcome.message == [7, 8])
    #expect(outcome.attempts == 3)
    #expect(await server.connections == 3)
    await server.stop()
  }

  @Test func retriesRefusedConnections() async throws {
    let address = SocketAddress.closed
    let recorder = TraceRecorder()
    let channel = try Channel(
      target: address.description,
      configuration: ChannelConfiguration(security: .plaintext, trace: recorder.record))
    let error = try #require(await call(channel, Self.policy(3)).error)
    #expect(error.code == .unavailable)
    #expect(error.connectionFailure?.reason == .refused)
    #expect(error.attempts == 0)
    #expect(error.earlierAttempts.count == 2)
    await channel.close()
  }

  @Test func failFastDoesNotRetryConnecting() async throws {
    let address = SocketAddress.closed
    let channel = try Channel(
      target: address.description,
      configuration: ChannelConfiguration(security: .plaintext, failFast: true))
    let error = await call(channel).error
    #expect(error?.earlierAttempts == [])
    await channel.close()
  }

  @Test func retriesConnectingIfConfigured() async throws {
    let address = SocketAddress.closed
    let recorder = TraceRecorder()
    var configuration = ChannelConfiguration(
      security: .plaintext, failFast: true, trace: recorder.record)
    configuration.retriesConnecting = true
    let channel = try Channel(target: address.description, configuration: configuration)
    let error = await call(channel, Self.policy(3)).error
    #expect(error?.earlierAttempts.count == 2)
    let dials = recorder.events.count { if case .connecting = $0.step { true } else { false } }
    #expect(dials == 3)
    await channel.close()
  }

  // MARK: Deadlines and cancellation

  @Test func expiresBetweenAttempts() async throws {
    let server = try await ScriptedServer.start(Self.script { _, stream in [Self.failure(stream)] })
    let channel = try Channel(to: server)
    try await withGrowingTimeout { timeout in
      let outcome = await call(
        channel, Self.policy(backoff: .seconds(3600)), timeout: timeout)
      let error = try #require(outcome.error)
      #expect(error.code == .deadlineExceeded)
      // In this case the deadline passed before the first attempt failed.
      let start = "the deadline passed before the next attempt; the last attempt failed: "
      guard error.message.hasPrefix(start) else { return false }
      #expect(error.message == start + "UNAVAILABLE: try later", "\(error)")
      #expect(error.peer == server.target)
      #expect(error.earlierAttempts.isEmpty)
      #expect(outcome.attempts == 1)
      return true
    }
    await server.stop()
  }

  @Test func deadlineBetweenAttemptsKeepsTheConnectionFailure() async throws {
    var configuration = ChannelConfiguration(security: .plaintext, failFast: true)
    configuration.retriesConnecting = true
    let channel = try Channel(
      target: SocketAddress.closed.description, configuration: configuration)
    try await withGrowingTimeout { timeout in
      let outcome = await call(
        channel, Self.policy(backoff: .seconds(3600)), timeout: timeout)
      let error = try #require(outcome.error)
      #expect(error.code == .deadlineExceeded)
      guard error.message.contains("before the next attempt") else { return false }
      #expect(error.connectionFailure?.reason == .refused)
      #expect(error.attempts == 0 && error.earlierAttempts.isEmpty)
      return true
    }
    await channel.close()
  }

  @Test func callCanBeCanceledBetweenAttempts() async throws {
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(Self.script { _, stream in [Self.failure(stream)] })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    let task = Task { await call(channel, Self.policy(backoff: .seconds(3600))) }
    await recorder.waitForRetry()
    task.cancel()
    #expect(await task.value.error?.code == .cancelled)
    // The next call is not affected.
    #expect(await call(channel, Self.policy(1)).error?.message == "try later")
    await server.stop()
  }

  @Test func closeEndsACallBetweenAttempts() async throws {
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(Self.script { _, stream in [Self.failure(stream)] })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    async let outcome = call(channel, Self.policy(backoff: .seconds(3600)))
    await recorder.waitForRetry()
    await channel.close()
    let error = await outcome.error
    #expect(error?.message == "the channel is closed")
    #expect(error?.peer == server.target)
    #expect(error?.earlierAttempts.first?.message == "try later")
    await server.stop()
  }

  // MARK: Configuration

  @Test func retriesCanBeDisabled() async throws {
    let server = try await ScriptedServer.start(
      Self.script { attempt, stream in
        [attempt == 0 ? .frames(.reset(stream, .refusedStream)) : Self.failure(stream)]
      })
    let channel = try Channel(to: server) { $0.allowsRetries = false }
    let outcome = await call(channel)
    // A call that the server never processed is still sent again.
    #expect(outcome.attempts == 2)
    #expect(outcome.error?.message == "try later")
    await server.stop()
  }

  @Test func tooManyFailuresThrottleTheChannel() async throws {
    let server = try await ScriptedServer.start(Self.script { _, stream in [Self.failure(stream)] })
    let channel = try Channel(to: server) {
      $0.serviceConfig.retryThrottling = RetryThrottling(maxTokens: 6, tokenRatio: 0.1)
    }
    #expect(await call(channel).attempts == 3)
    #expect(await call(channel).attempts == 1)
    await server.stop()
  }

  // MARK: Streams

  @Test func retriesAStreamAndDeliversItOnce() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        stream == 1 ? [Self.failure(stream)] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let call = channel.open { $0.retryPolicy = Self.policy() }
    try await call.send([1])
    try await call.send([2])
    call.finish()
    #expect(await call.rest().messages == [[7, 8]])
    #expect(call.attempts == 2)
    #expect(await server.body(3) == framed([1]) + framed([2]))
    await server.stop()
  }

  /// The server ends its side early. Messages that the caller sends meanwhile go into the next
  /// attempt.
  @Test func keepsMessagesSentBetweenAttempts() async throws {
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(
      frameScript { _, frame in
        switch (frame.stream, frame.kind) {
        case (1, .data): [Self.failure(1, 14, fields(["grpc-retry-pushback-ms": "300"]))]
        case (3, .data) where frame.has(.endStream): [okResponse(3)]
        default: []
        }
      })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    let call = channel.open { $0.retryPolicy = Self.policy() }
    try await call.send([1])
    await recorder.waitForRetry()
    try await call.send([2])
    call.finish()
    #expect(await call.rest().messages == [[7, 8]])
    #expect(await server.reset() == .noError)
    #expect(await server.body(3) == framed([1]) + framed([2]))
    await server.stop()
  }

  /// The body is longer than the error message shows, and the server continues to send it.
  @Test func ignoresLaterFramesOfAnAbandonedAttempt() async throws {
    let server = try await ScriptedServer.start(
      frameScript { _, frame in
        let page = [UInt8](repeating: 0x61, count: 300)
        return switch (frame.stream, frame.kind) {
        case (1, .headers):
          [.frames(.headers(1, fields([":status": "503"])), .data(1, page))]
        case (1, .resetStream):
          [.frames(.data(1, framed([9])), .headers(1, okTrailers, endStream: true))]
        case (3, .data) where frame.has(.endStream): [okResponse(3)]
        default: []
        }
      })
    let channel = try Channel(to: server)
    let call = channel.open { $0.retryPolicy = Self.policy() }
    try await call.send([1])
    call.finish()
    let rest = await call.rest()
    #expect(rest.messages == [[7, 8]])
    #expect(rest.error == nil)
    #expect(await server.body(3) == framed([1]))
    await server.stop()
  }
}
