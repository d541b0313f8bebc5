import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCClient
@testable import WireIO

/// GOAWAY: how servers send it, and what happens to the calls (RFC 9113 §6.8).
@Suite(.timeLimit(.minutes(20))) struct GoAwayTests {
  /// Makes calls one after the other, with their numbers as messages. Each has reached the server,
  /// or waits in the client, before the next is made.
  private func calls(
    _ count: Int, on channel: Channel, _ server: ScriptedServer, reaching: Int
  ) async -> [Task<UnaryResult, Never>] {
    var tasks: [Task<UnaryResult, Never>] = []
    for number in 0..<count {
      // An immediate task has submitted its call when it first suspends.
      tasks.append(Task.immediate { await channel.call([UInt8(number)]) })
      if number < reaching {
        _ = await server.frame(.data) { $0.payload.last == UInt8(number) }
      } else {
        // The loop takes calls in order: once it has answered this call, the previous one is
        // queued.
        _ = await channel.call(timeout: .zero)
      }
    }
    return tasks
  }

  @Test func unprocessedCallsKeepTheirOrderBeforeWaitingCalls() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 20))) { connection, stream in
        connection == 0 ? [] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let tasks = await calls(25, on: channel, server, reaching: 20)
    await server.act(0, .frames(.goAway(last: 0)))
    for task in tasks { #expect(await task.value.message == [7, 8]) }
    let order = await server.received(.data, on: 1).compactMap(\.payload.last)
    #expect(order == (0..<25).map { UInt8($0) })
    #expect(await server.connections == 2)
    await server.stop()
  }

  @Test func movesTenThousandCallsAtOnce() async throws {
    let count = 10_000
    let seen = Mutex(0)
    let script = requestScript { connection, stream in
      guard connection == 0 else { return [okResponse(stream)] }
      let isLast = seen.withLock { seen in
        seen += 1
        return seen == count
      }
      return isLast ? [.frames(.goAway(last: 0))] : []
    }
    let server = try await ScriptedServer.start { connection, event in
      guard case .accepted = event else { return script(connection, event) }
      return script(connection, event) + [.frames(.windowUpdate(0, 1 << 24))]
    }
    let channel = try Channel(to: server)
    let good = await withTaskGroup { group in
      for _ in 0..<count { group.addTask { await channel.call(timeout: nil).message == [7, 8] } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(good == count)
    #expect(await server.connections == 2)
    await server.stop()
  }

  @Test func errorsContainTheReasonOfTheGoAway() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, _ in [.frames(.goAway(last: 0, .enhanceYourCalm, debug: "go\u{7}home"))] })
    let channel = try Channel(to: server)
    let error = try #require(await channel.call().error)
    #expect(error.code == .unavailable)
    #expect(error.message.contains("GOAWAY ENHANCE_YOUR_CALM \"go home\""), "\(error)")
    await server.stop()
  }

  @Test func errorsOfUnfinishedCallsContainTheReason() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, _ in [.frames(.goAway(last: 1, debug: "max_age")), .close] })
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    let error = try #require(outcome.error)
    #expect(error.code == .unavailable)
    #expect(error.message.contains("after the server's GOAWAY NO_ERROR \"max_age\""), "\(error)")
    // The server may have acted on it.
    #expect(outcome.attempts == 1)
    await server.stop()
  }

  @Test func callsBelowTheLastStreamFinishAfterAnErrorGoAway() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        guard connection == 0 else { return [okResponse(stream, [2])] }
        guard stream == 3 else { return [] }
        return [.frames(.goAway(last: 1, .internalError, debug: "sick")), okResponse(1, [1])]
      })
    let channel = try Channel(to: server)
    async let first = channel.call()
    _ = await server.frame(.data)
    #expect(await channel.call().message == [2])
    #expect(await first.message == [1])
    await server.end(of: 0)
    await server.stop()
  }

  @Test func higherLastStreamIDIsAProtocolError() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        connection == 0
          ? [.frames(.goAway(last: 1), .goAway(last: 3)), okResponse(stream)] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let error = try #require(await channel.call().error)
    #expect(error.code == .unavailable)
    #expect(error.message.contains("GOAWAY"), "\(error)")
    let goAway = await server.frame(.goAway)
    #expect(goAway.number(at: 1) == HTTP2ErrorCode.protocolError.rawValue)
    #expect(await channel.call().message == [7, 8])
    await server.stop()
  }

  @Test func processesBytesReadBeforeAReset() async throws {
    // The kernel resets the connection because the server closes it with the second request unread.
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        connection == 0 ? [.frames(.goAway(last: 0)), .reset] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    #expect(outcome.message == [7, 8])
    #expect(outcome.attempts == 2)
    await server.stop()
  }

  @Test func reportsAGoAwayBeforeTheSettings() async throws {
    let server = try await ScriptedServer.start { _, event in
      guard case .accepted = event else { return [] }
      return [.frames(.goAway(last: 0, .enhanceYourCalm, debug: "too busy")), .close]
    }
    let channel = try Channel(to: server)
    let error = try #require(await channel.call().error)
    #expect(error.code == .unavailable)
    #expect(
      error.message.contains(
        "the server violated HTTP/2: GOAWAY before SETTINGS: ENHANCE_YOUR_CALM \"too busy\""),
      "\(error)")
    #expect(error.connectionFailure != nil)
    await server.stop()
  }

  @Test func unsentCallSurvivesALostConnection() async throws {
    // All that the first connection receives after its SETTINGS fills one read completely, and the
    // next read finds the end. In between, the second call is assigned to the connection.
    let script = requestScript { _, stream in [okResponse(stream)] }
    guard case .send(var answer) = okResponse(1) else { return }
    while answer.count < 65_536 {
      let size = min(16_384, 65_536 - answer.count - 9)
      answer += RawFrame(type: 0xFA, [UInt8](repeating: 0, count: size)).bytes
    }
    let path = "/tmp/tripwire-test-\(UInt64.random(in: 0 ... .max)).sock"
    let server = try await ScriptedServer.start(on: SocketAddress(unixPath: path)) { [answer] in
      guard $0 == 0 else { return script($0, $1) }
      switch $1 {
      case .accepted: return [.frames(.settings((3, 1)))]
      case .frame(let frame) where frame.kind == .data: return [.send(answer), .close]
      case .frame: return []
      }
    }
    // Blocks the channel's loop after it has sent the first call.
    let isAnswered = Atomic(false)
    var configuration = ChannelConfiguration(security: .plaintext)
    configuration.trace = { event in
      guard case .frame(.sent, let text) = event.step, text.hasPrefix("DATA") else { return }
      while !isAnswered.load(ordering: .acquiring) {}
    }
    let channel = try Channel(target: "unix:\(path)", configuration: configuration)
    let calls = (0..<2).map { _ in Task { await channel.call() } }
    await server.end(of: 0)
    isAnswered.store(true, ordering: .releasing)
    for call in calls {
      let outcome = await call.value
      #expect(outcome.message == [7, 8], "\(String(describing: outcome.error))")
      #expect(outcome.attempts == 1)
    }
    #expect(await server.connections == 2)
    await server.stop()
  }
}
