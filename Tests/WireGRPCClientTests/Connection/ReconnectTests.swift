import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCClient
@testable import WireIO

/// GOAWAY, refused streams and lost connections, and what happens to the calls.
@Suite(.timeLimit(.minutes(20))) struct ReconnectTests {
  @Test func movesUnprocessedCallsToANewConnection() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        connection == 0 ? [.frames(.goAway(last: 0)), .close] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    #expect(outcome.message == [7, 8])
    #expect(outcome.attempts == 2)
    #expect(await server.connections == 2)
    await server.stop()
  }

  @Test func retriesTransparentlyOnlyOnce() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, _ in [.frames(.goAway(last: 0))] })
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    #expect(outcome.error?.code == .unavailable)
    #expect(outcome.attempts == 2)
    #expect(outcome.error?.message.contains("draining") == true)
    await server.stop()
  }

  @Test func namesTheViolationThatEndsTheConnection() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, _ in [.frames(.windowUpdate(0, 0))] })
    let channel = try Channel(to: server)
    let error = await channel.call().error
    #expect(error?.code == .unavailable)
    let rule = "WINDOW_UPDATE: window_size_increment == 0 (PROTOCOL_ERROR)"
    #expect(error?.message == "the server violated HTTP/2: \(rule)")
    await server.stop()
  }

  @Test func callsUpToTheLastStreamFinish() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        switch (connection, stream) {
        case (0, 3): [.frames(.goAway(last: 1)), okResponse(1, [1])]
        case (0, _): []
        default: [okResponse(stream, [2])]
        }
      })
    let channel = try Channel(to: server)
    async let first = channel.call()
    _ = await server.frame(.data)
    let second = await channel.call()
    #expect(second.message == [2])
    #expect(second.attempts == 2)
    #expect(await first.message == [1])
    #expect(await first.attempts == 1)
    await server.end(of: 0)
    await server.stop()
  }

  @Test func acceptsATwoPhaseGoAway() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in connection == 0 ? [] : [okResponse(stream, [2])] })
    let channel = try Channel(to: server)
    async let first = channel.call()
    _ = await server.frame(.data)
    await server.act(0, .frames(.goAway(last: 0x7FFF_FFFF), .ping(1)))
    _ = await server.frame(.ping) { $0.has(.acknowledge) }
    // The old connection takes no more calls, but its call continues.
    #expect(await channel.call().message == [2])
    await server.act(0, .frames(.goAway(last: 1)), okResponse(1, [1]))
    #expect(await first.message == [1])
    await server.end(of: 0)
    #expect(await server.received(.headers, on: 0).count == 1)
    await server.stop()
  }

  @Test func movesQueuedCallsAfterAGoAway() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 1))) { connection, stream in
        connection == 0 ? [] : [okResponse(stream, [2])]
      })
    let channel = try Channel(to: server)
    async let first = channel.call()
    _ = await server.frame(.data)
    async let second = channel.call()
    async let third = channel.call()
    await server.act(0, .frames(.goAway(last: 1)))
    #expect(await second.message == [2])
    #expect(await third.message == [2])
    #expect(await second.attempts == 1)
    await server.act(0, okResponse(1, [1]))
    #expect(await first.message == [1])
    await server.stop()
  }

  @Test func retriesARefusedStream() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        stream == 1 ? [.frames(.reset(1, .refusedStream))] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    #expect(outcome.message == [7, 8])
    #expect(outcome.attempts == 2)
    await server.stop()
  }

  @Test func failsIfTheStreamIsRefusedTwice() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [.frames(.reset(stream, .refusedStream))] })
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    #expect(outcome.error?.code == .unavailable)
    #expect(outcome.attempts == 2)
    await server.stop()
  }

  @Test func waitsIfTheServerStillCountsAnEndedStream() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 1))) { _, stream in
        [3, 5, 7].contains(stream)
          ? [.frames(.reset(stream, .refusedStream))] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    #expect(await channel.call().attempts == 1)
    async let second = channel.call([2])
    async let third = channel.call([3])
    #expect(await second.message == [7, 8])
    #expect(await third.message == [7, 8])
    #expect(await second.attempts + third.attempts == 5)
    #expect(await server.connections == 1)
    await server.stop()
  }

  /// The client neither retries forever nor without pauses.
  @Test func pausesBetweenRefusals() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 1))) { _, stream in
        stream == 1 ? [okResponse(1)] : [.frames(.reset(stream, .refusedStream))]
      })
    let channel = try Channel(to: server)
    #expect(await channel.call().attempts == 1)
    let start = ContinuousClock.now
    let outcome = await channel.call()
    let time = ContinuousClock.now - start
    #expect(time > .milliseconds(600))
    #expect(outcome.error?.code == .unavailable)
    #expect(outcome.attempts == 7)
    #expect(outcome.error?.message == "the server refused the stream")
    await server.stop()
  }

  @Test func failsCallsOfALostConnectionAndReconnects() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in connection == 0 ? [.close] : [okResponse(stream)] })
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    #expect(outcome.error?.code == .unavailable)
    #expect(outcome.error?.message.contains("the connection was lost") == true)
    #expect(outcome.error?.peer == server.target)
    #expect(outcome.attempts == 1)
    #expect(await channel.call().message == [7, 8])
    await server.stop()
  }

  @Test func failsCallsOnAProtocolError() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        // DATA on stream 0 is a protocol error.
        connection == 0 ? [.frames(RawFrame(.data, stream: 0, [1]))] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    #expect(await channel.call().error?.code == .unavailable)
    #expect(await server.frame(.goAway).number(at: 1) == HTTP2ErrorCode.protocolError.rawValue)
    #expect(await channel.call().message == [7, 8])
    await server.stop()
  }

  @Test func dialsTheNextAddressIfOneFails() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(
      target: "ipv4:\(SocketAddress.closed),\(server.target)",
      configuration: ChannelConfiguration(security: .plaintext, failFast: true))
    #expect(await channel.call().message == [7, 8])
    await server.stop()
  }

  @Test func limitsDialsToAServerThatSendsOnlyGoAway() async throws {
    let server = try await ScriptedServer.start { _, event in
      guard case .accepted = event else { return [] }
      return [.frames(.settings((3, 0)), .goAway(last: 0))]
    }
    let channel = try Channel(to: server)
    let error = await channel.call().error
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("before any call") == true)
    #expect(await server.connections == 4)
    await server.stop()
  }

  @Test func limitsDialsToAServerThatSendsGoAwayWithItsSettings() async throws {
    let server = try await ScriptedServer.start { _, event in
      guard case .accepted = event else { return [] }
      return [.frames(.settings(), .goAway(last: 0))]
    }
    let channel = try Channel(to: server)
    let error = await channel.call().error
    #expect(error?.code == .unavailable)
    #expect(await server.connections == 4)
    await server.stop()
  }

  @Test func invalidBytesNeverHangACall() async throws {
    var random = SplitMix(state: 1)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let flags = UInt8.random(in: 0...255, using: &random)
      let type = UInt8.random(in: 0...10, using: &random)
      let stream = Int.random(in: 0...3, using: &random)
      let frame = RawFrame(type: type, flags: flags, stream: stream, bytes)
      let isRaw = Bool.random(using: &random)
      let server = try await ScriptedServer.start(
        requestScript { _, _ in [isRaw ? .send(bytes) : .frames(frame), .close] })
      let channel = try Channel(to: server)
      #expect(await channel.call().error != nil, "\(frame)")
      await server.stop()
    }
  }
}
