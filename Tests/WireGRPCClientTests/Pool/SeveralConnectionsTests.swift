import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCClient

/// Additional connections when one is full, and their end when they are idle.
@Suite(.timeLimit(.minutes(20))) struct SeveralConnectionsTests {
  /// Allows one stream at a time, and responds on the connections for which `responds` returns
  /// true.
  private func oneStream(
    _ responds: @escaping @Sendable (_ connection: Int) -> Bool = { _ in false }
  ) -> ScriptedServer.Script {
    requestScript(settings: .settings((3, 1))) { connection, stream in
      responds(connection) ? [okResponse(stream)] : []
    }
  }

  @Test func opensConnectionsUpToTheLimit() async throws {
    let server = try await ScriptedServer.start(oneStream())
    let channel = try Channel(to: server) { $0.maxConnections = 3 }
    let calls = (0..<4).map { _ in Task { await channel.call() } }
    for connection in 0..<3 { _ = await server.frame(.data, on: connection) }
    // The fourth call waits for a stream.
    await server.act(1, okResponse(1))
    _ = await server.frame(.data, on: 1) { $0.stream == 3 }
    for (connection, stream) in [(0, 1), (1, 3), (2, 1)] {
      await server.act(connection, okResponse(stream))
    }
    for call in calls { #expect(await call.value.message == [7, 8]) }
    #expect(await server.connections == 3)
    await server.stop()
  }

  @Test func openConnectionsServeAllCallsIfNoOtherConnects() async throws {
    let server = try await ScriptedServer.start(oneStream())
    let (failures, hook) = AsyncStream.makeStream(of: Void.self)
    let channel = try Channel(to: server) {
      $0.maxConnections = 2
      $0.trace = { if case .connectFailed = $0.step { hook.yield() } }
    }
    let first = Task { await channel.call() }
    _ = await server.frame(.data)
    await server.stopListening()
    let others = (0..<3).map { _ in Task { await channel.call() } }
    for await _ in failures { break }
    for stream in [1, 3, 5, 7] {
      _ = await server.frame(.data) { $0.stream == stream }
      await server.act(0, okResponse(stream))
    }
    for call in [first] + others { #expect(await call.value.message == [7, 8]) }
    await server.stop()
  }

  @Test func usesTheNextConnectionIfTheFirstCloses() async throws {
    // The second connection becomes ready only after the first has closed.
    let server = try await ScriptedServer.start { connection, event in
      switch event {
      case .accepted where connection == 0: return [.frames(.settings((3, 1)))]
      case .frame(let frame) where connection == 1 && frame.kind == .data:
        return [okResponse(Int(frame.stream))]
      case .accepted, .frame: return []
      }
    }
    let channel = try Channel(to: server) { $0.maxConnections = 2 }
    let calls = (0..<2).map { _ in Task { await channel.call() } }
    _ = await server.frame(.settings, on: 1)
    await server.act(0, .frames(.goAway(last: 0)), .close)
    await server.act(1, .frames(.settings()))
    for call in calls { #expect(await call.value.message == [7, 8]) }
    #expect(await server.connections == 2)
    await server.stop()
  }

  @Test func doesNotRedialAServerThatAllowsNoStream() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 0))) { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server) { $0.maxConnections = 4 }
    async let outcome = channel.call()
    _ = await server.frame(.settings) { $0.has(.acknowledge) }
    let timeout = ConnectionGrowth.requiredWait * 4
    #expect(await channel.call(timeout: timeout).error?.code == .deadlineExceeded)
    #expect(await server.connections == 1)
    await server.act(0, .frames(.settings((3, 1))))
    #expect(await outcome.message == [7, 8])
    // The limit drops to zero while a call is in flight, and rises again.
    await server.act(0, .frames(.settings((3, 0)), .ping(1)))
    _ = await server.frame(.ping)
    async let later = channel.call()
    await server.act(0, .frames(.settings((3, 1))))
    #expect(await later.message == [7, 8])
    #expect(await server.connections == 1)
    await server.stop()
  }

  @Test func exhaustedStreamIDsFailNoCall() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let recorder = TraceRecorder()
    let channel = try Channel(to: server) {
      $0.firstStreamID = Int32.max - 4
      $0.trace = recorder.record
    }
    let outcomes = await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { await channel.call() } }
      return await group.reduce(into: [UnaryResult]()) { $0.append($1) }
    }
    for outcome in outcomes {
      #expect(outcome.message == [7, 8], "\(String(describing: outcome.error))")
      #expect(outcome.attempts == 1)
    }
    // Three streams per connection. The trace counts the dials, because a client of another test
    // may connect to this server if it got the same port.
    let dials = recorder.events.filter { if case .connecting = $0.step { true } else { false } }
    #expect(dials.count == 7, "\(recorder.events)")
    await server.stop()
  }

  // MARK: Idleness

  @Test func closesAnIdleConnectionAndReconnects() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server) { $0.idleTimeout = .milliseconds(50) }
    #expect(await channel.call().message == [7, 8])
    let goAway = await server.frame(.goAway)
    #expect(goAway.number(at: 1) == HTTP2ErrorCode.noError.rawValue)
    await server.end(of: 0)
    #expect(await channel.call().message == [7, 8])
    #expect(await server.connections == 2)
    await server.end(of: 1)
    await server.stop()
  }

  @Test func connectionWithACallIsNotIdle() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server) { $0.idleTimeout = .milliseconds(20) }
    async let first = channel.call()
    _ = await server.frame(.data)
    #expect(await channel.call(timeout: .milliseconds(200)).error?.code == .deadlineExceeded)
    await server.act(0, okResponse(1))
    #expect(await first.message == [7, 8])
    await server.end(of: 0)
    await server.stop()
  }

  @Test func noCallIsLostWhenTheIdleTimerFires() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server) { $0.idleTimeout = .milliseconds(1) }
    for pause in 0..<200 {
      // About when the timer fires.
      try await Task.sleep(for: .microseconds(700 + 5 * pause))
      let outcome = await channel.call()
      #expect(outcome.message == [7, 8], "\(String(describing: outcome.error))")
      #expect(outcome.attempts == 1)
    }
    // The timer has fired, or fires now.
    await server.end(of: 0)
    #expect(await channel.call().message == [7, 8])
    #expect(await server.connections > 1)
    await server.stop()
  }

  @Test func closesAdditionalIdleConnections() async throws {
    let server = try await ScriptedServer.start(oneStream())
    let channel = try Channel(to: server) {
      $0.maxConnections = 2
      $0.idleTimeout = .milliseconds(50)
    }
    let calls = (0..<2).map { _ in Task { await channel.call() } }
    for connection in 0..<2 { _ = await server.frame(.data, on: connection) }
    await server.act(1, okResponse(1))
    await server.end(of: 1)
    await server.act(0, okResponse(1))
    for call in calls { #expect(await call.value.message == [7, 8]) }
    #expect(await server.connections == 2)
    await server.stop()
  }
}
