import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient

/// Deadlines and cancellation of unary calls.
@Suite(.timeLimit(.minutes(20))) struct DeadlineTests {
  @Test func resetsTheStreamAtTheDeadline() async throws {
    try await withGrowingTimeout { timeout in
      let recorder = TraceRecorder()
      let server = try await ScriptedServer.start(
        requestScript { _, stream in [.frames(.headers(stream, okHeaders))] })
      let channel = try Channel(to: server) { $0.trace = recorder.record }
      let error = try #require(await channel.call(timeout: timeout).error)
      #expect(error.code == .deadlineExceeded)
      #expect(error.origin == .local)
      let isInTime = recorder.hasResponseHeaders
      if isInTime {
        #expect(error.peer == server.target)
        let reset = await server.frame(.resetStream)
        #expect(reset.number() == HTTP2ErrorCode.cancel.rawValue)
      }
      await server.stop()
      return isInTime
    }
  }

  @Test func resetsTheStreamWhenTheTaskIsCanceled() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    let task = Task { await channel.call() }
    _ = await server.frame(.data)
    task.cancel()
    let outcome = await task.value
    #expect(outcome.error?.code == .cancelled)
    #expect(outcome.attempts == 1)
    let reset = await server.frame(.resetStream)
    #expect(reset.number() == HTTP2ErrorCode.cancel.rawValue)
    await server.stop()
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func doesNotSendACallWithoutTime(_ timeout: Duration) async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    let outcome = await channel.call(timeout: timeout)
    #expect(outcome.error?.code == .deadlineExceeded)
    #expect(outcome.attempts == 0)
    #expect(await server.connections == 0)
    await server.stop()
  }

  @Test func reportsADeadlineWhileConnecting() async throws {
    let server = try await ScriptedServer.start { _, _ in [] }
    let channel = try Channel(to: server)
    async let first = channel.call()
    // The socket is connected.
    _ = await server.frame(.settings)
    try await withGrowingTimeout { timeout in
      let error = try #require(await channel.call(timeout: timeout).error)
      #expect(error.code == .deadlineExceeded)
      if error.isBeforeTheCall { return false }
      #expect(error.connectionFailure?.reason == .timedOut)
      #expect(error.message.contains("sent no HTTP/2 SETTINGS"), "\(error)")
      return true
    }
    await server.stop()
    #expect(await first.error?.code == .unavailable)
  }

  @Test func acceptsTheLongestTimeout() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    #expect(await channel.call(timeout: .seconds(Int64.max)).message == [7, 8])
    await server.stop()
  }
}
