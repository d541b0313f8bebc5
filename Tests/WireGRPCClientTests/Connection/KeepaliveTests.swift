import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCClient

@Suite(.timeLimit(.minutes(20))) struct KeepaliveTests {
  private func channel(
    to server: ScriptedServer, time: Duration = .milliseconds(50), timeout: Duration = .seconds(20),
    withoutCalls: Bool = false, trace: (@Sendable (TraceEvent) -> Void)? = nil
  ) throws -> Channel {
    try Channel(to: server) {
      $0.keepalive = Keepalive(time: time, timeout: timeout, withoutCalls: withoutCalls)
      $0.shortestKeepalive = .zero
      $0.trace = trace
    }
  }

  @Test func detectsAVanishedPeer() async throws {
    try await withGrowingTimeout { timeout in
      let server = try await ScriptedServer.start(
        requestScript { connection, stream in connection == 0 ? [] : [okResponse(stream)] })
      let channel = try channel(to: server, timeout: timeout)
      let error = try #require(await channel.call().error)
      let lost = "keepalive ping within \(timeout)"
      #expect(error.code == .unavailable)
      #expect(error.message.contains(lost), "\(error)")
      _ = await server.frame(.ping)
      let next = await channel.call()
      await server.stop()
      // On a busy machine even a server that answers may be too slow.
      if next.error?.message.contains(lost) == true { return false }
      #expect(next.message == [7, 8])
      return true
    }
  }

  @Test func pingsARespondingPeerRepeatedly() async throws {
    let script = requestScript { _, _ in [] }
    let server = try await ScriptedServer.start { connection, event in
      guard case .frame(let frame) = event, frame.kind == .ping else {
        return script(connection, event)
      }
      return [.frames(RawFrame(.ping, flags: .acknowledge, frame.payload))]
    }
    let channel = try channel(to: server, time: .milliseconds(10))
    async let outcome = channel.call()
    await server.receive(5, .ping)
    await server.act(0, okResponse(1))
    #expect(await outcome.message == [7, 8])
    await server.stop()
  }

  @Test func callAfterALongSilencePingsAtOnce() async throws {
    // No timer runs at that time, and the calls end at once: the call itself triggers the ping.
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try channel(to: server, timeout: .seconds(3600))
    #expect(await channel.call().message == [7, 8])
    try await withGrowingTimeout { silence in
      try await Task.sleep(for: silence)
      #expect(await channel.call().message == [7, 8])
      // On a busy machine the timer may still run, or the ping may be in transit.
      return await !server.received(.ping, on: 0).isEmpty
    }
    await server.stop()
  }

  @Test func acknowledgesEveryPing() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [.frames(.ping(1), .ping(2)), okResponse(stream), .frames(.ping(3))]
      })
    let channel = try Channel(to: server)
    #expect(await channel.call().message == [7, 8])
    _ = await server.frame(.ping) { $0.payload.last == 3 }
    let answers = await server.received(.ping, on: 0)
    #expect(answers.map(\.payload.last) == [1, 2, 3])
    #expect(answers.allSatisfy { $0.has(.acknowledge) })
    await server.stop()
  }

  @Test func slowsDownAfterTooManyPings() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        connection < 2
          ? [.frames(.goAway(last: 0, .enhanceYourCalm, debug: "too_many_pings"))]
          : [okResponse(stream)]
      })
    let steps = Mutex<[Duration]>([])
    let channel = try channel(to: server, time: .seconds(60)) { event in
      guard case .keepaliveSlowed(let time) = event.step else { return }
      steps.withLock { $0.append(time) }
    }
    let error = try #require(await channel.call().error)
    #expect(error.message.contains("GOAWAY ENHANCE_YOUR_CALM \"too_many_pings\""), "\(error)")
    #expect(await channel.call().message == [7, 8])
    #expect(steps.withLock { $0 } == [.seconds(120), .seconds(240)])
    await server.stop()
  }

  @Test func minimumTimeIsTenSeconds() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        connection == 0
          ? [.frames(.goAway(last: 0, .enhanceYourCalm, debug: "too_many_pings"))]
          : [okResponse(stream)]
      })
    let steps = Mutex<[Duration]>([])
    let channel = try Channel(to: server) {
      $0.keepalive = Keepalive(time: .milliseconds(1))
      $0.trace = { event in
        guard case .keepaliveSlowed(let time) = event.step else { return }
        steps.withLock { $0.append(time) }
      }
    }
    #expect(await channel.call().message == [7, 8])
    #expect(steps.withLock { $0 } == [.seconds(20)])
    await server.stop()
  }
}
