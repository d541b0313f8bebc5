import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient
@testable import WireIO

@Suite(.timeLimit(.minutes(20))) struct ChannelTests {
  @Test func callSucceeds() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    #expect(outcome.message == [7, 8])
    #expect(outcome.attempts == 1)
    let data = await server.frame(.data)
    #expect(data.payload == [0, 0, 0, 0, 3, 1, 2, 3])
    #expect(data.has(.endStream))
    await channel.close()
    await server.stop()
  }

  @Test func connectsToAHostAndAPort() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(
      host: "127.0.0.1", port: Int(try #require(server.address.port)),
      configuration: ChannelConfiguration(security: .plaintext, failFast: true))
    #expect(await channel.call().message == [7, 8])
    await server.stop()
    let error = #expect(throws: CallError.self) { try Channel(host: "127.0.0.1", port: 0) }
    #expect(error?.connectionFailure?.reason == .configuration)
    #expect(error?.kind == .client)
  }

  @Test func channelsShareALoop() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let loop = try EventLoop.start(name: "test")
    for _ in 0..<2 {
      let channel = try Channel(to: server) { $0.loop = loop }
      let task = Task(executorPreference: loop.taskExecutor) {
        let outcome = await channel.call()
        return (outcome.message, loop.isOnLoop)
      }
      let (message, isOnLoop) = await task.value
      #expect(message == [7, 8])
      #expect(isOnLoop)
      await channel.close()
    }
    loop.stop()
    await server.stop()
  }

  @Test func oneConnectionServesAllCalls() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream, [UInt8(stream)])] })
    let channel = try Channel(to: server)
    let messages = await withTaskGroup { group in
      for _ in 0..<50 { group.addTask { await channel.call().message } }
      return await group.reduce(into: []) { $0.append($1?.first ?? 0) }
    }
    #expect(Set(messages) == Set((0..<50).map { UInt8(2 * $0 + 1) }))
    #expect(await server.connections == 1)
    await server.stop()
  }

  @Test func acceptsResponsesByteByByte() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    async let outcome = channel.call()
    _ = await server.frame(.data)
    guard case .send(let bytes) = okResponse(1) else { return }
    for byte in bytes { await server.act(0, .send([byte])) }
    #expect(await outcome.message == [7, 8])
    await server.stop()
  }

  @Test func connectsToAUnixSocket() async throws {
    let path = "/tmp/tripwire-test-\(UInt64.random(in: 0 ... .max)).sock"
    let server = try await ScriptedServer.start(
      on: SocketAddress(unixPath: path), requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(
      target: "unix:\(path)", configuration: ChannelConfiguration(security: .plaintext))
    #expect(await channel.call().message == [7, 8])
    await server.stop()
  }

  // MARK: Ready after SETTINGS

  @Test func sendsNoCallBeforeThePeersSettings() async throws {
    let server = try await ScriptedServer.start { _, event in
      guard case .frame(let frame) = event, frame.kind == .data else { return [] }
      return [okResponse(Int(frame.stream))]
    }
    let channel = try Channel(to: server)
    async let outcome = channel.call()
    _ = await server.frame(.settings)
    #expect(await server.received(.headers, on: 0).isEmpty)
    await server.act(0, .frames(.settings()))
    #expect(await outcome.message == [7, 8])
    await server.stop()
  }

  @Test func timesOutWithoutThePeersSettings() async throws {
    let server = try await ScriptedServer.start { _, _ in [] }
    try await withGrowingTimeout { timeout in
      let channel = try Channel(to: server) { $0.connectTimeout = timeout }
      let error = try #require(await channel.call().error)
      #expect(error.code == .unavailable)
      #expect(error.connectionFailure?.reason == .timedOut)
      #expect(error.message.contains(server.target))
      // In this case not even the socket was connected in time.
      if error.message.contains("did not respond") { return false }
      #expect(error.message.contains("no HTTP/2 SETTINGS"), "\(error)")
      return true
    }
    await server.stop()
  }

  // MARK: Streams

  @Test func observesTheStreamLimit() async throws {
    let open = Mutex((now: 0, most: 0))
    let server = try await ScriptedServer.start { _, event in
      switch event {
      case .accepted: return [.frames(.settings((3, 1)))]
      case .frame(let frame) where frame.kind == .headers:
        open.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        return []
      case .frame(let frame) where frame.kind == .data && frame.has(.endStream):
        open.withLock { $0.now -= 1 }
        return [okResponse(Int(frame.stream))]
      case .frame: return []
      }
    }
    let channel = try Channel(to: server)
    let answers = await withTaskGroup { group in
      for _ in 0..<10 { group.addTask { await channel.call().message } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.allSatisfy { $0 == [7, 8] })
    #expect(open.withLock { $0.most } == 1)
    #expect(await server.connections == 1)
    await server.stop()
  }

  @Test func queuedCallExpires() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 1))) { _, _ in [] })
    let channel = try Channel(to: server)
    async let first = channel.call()
    _ = await server.frame(.data)
    try await withGrowingTimeout { timeout in
      let second = try #require(await channel.call(timeout: timeout).error)
      #expect(second.code == .deadlineExceeded)
      if second.isBeforeTheCall { return false }
      #expect(second.message.contains("waiting for a free stream on"), "\(second)")
      return true
    }
    #expect(await server.received(.headers, on: 0).count == 1)
    await server.act(0, okResponse(1))
    #expect(await first.message == [7, 8])
    #expect(await server.received(.headers, on: 0).count == 1)
    await server.stop()
  }

  @Test func queuedCallCanBeCanceled() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 1))) { _, _ in [] })
    let channel = try Channel(to: server)
    async let first = channel.call()
    _ = await server.frame(.data)
    let second = Task { await channel.call() }
    second.cancel()
    #expect(await second.value.error?.code == .cancelled)
    await server.act(0, okResponse(1))
    #expect(await first.message == [7, 8])
    await server.stop()
  }

  @Test func sendsQueuedCallsWhenTheLimitRises() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 0))) { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    async let outcome = channel.call()
    _ = await server.frame(.settings) { $0.has(.acknowledge) }
    await server.act(0, .frames(.settings((3, 5))))
    #expect(await outcome.message == [7, 8])
    await server.stop()
  }

  // MARK: Invalid requests

  @Test func checksMetadataOfALiteralBeforeTheCall() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    let outcome = await channel.call { $0.metadata = ["x-name": "two\nlines"] }
    #expect(outcome.error?.code == .internal)
    #expect(outcome.error?.origin == .local)
    #expect(outcome.error?.message.contains("U+000A at offset 3") == true)
    #expect(await server.connections == 0)
    await server.stop()
  }

  @Test func refusesHeadersAboveThePeersLimit() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((6, 300))) { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    let long = String(repeating: "a", count: 300)
    let outcome = await channel.call { $0.metadata = ["x-long": .text(long)] }
    #expect(outcome.error?.code == .resourceExhausted)
    await server.stop()
  }

  // MARK: Responses

  @Test func trailersBeforeTheRequestIsSentEndTheCall() async throws {
    // Without a window the body waits in the client, so the stream is still open when the response
    // arrives.
    let server = try await ScriptedServer.start { _, event in
      switch event {
      case .accepted: return [.frames(.settings((4, 0)))]
      case .frame(let frame) where frame.kind == .headers:
        let trailers = fields([
          ":status": "200", "content-type": "application/grpc", "grpc-status": "16",
        ])
        return [.frames(.headers(Int(frame.stream), trailers, endStream: true))]
      case .frame: return []
      }
    }
    let channel = try Channel(to: server)
    #expect(await channel.call().error?.code == .unauthenticated)
    let reset = await server.frame(.resetStream)
    #expect(reset.number() == HTTP2ErrorCode.noError.rawValue)
    await server.stop()
  }

  @Test func failsOnResponseHeadersAboveTheLimit() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        let long = HeaderField("x-long", String(repeating: "a", count: 1000))
        return [.frames(.headers(stream, okHeaders + [long]))]
      })
    let channel = try Channel(to: server) { $0.maxHeaderListSize = 500 }
    let error = try #require(await channel.call().error)
    #expect(error.code == .resourceExhausted)
    await server.stop()
  }

  @Test func failsAtOnceOnALengthAboveTheLimit() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [.frames(.headers(stream, okHeaders), .data(stream, [0, 0, 0, 1, 0]))]
      })
    let channel = try Channel(to: server)
    let outcome = await channel.call { $0.maxReceiveMessageSize = 255 }
    #expect(outcome.error?.code == .resourceExhausted)
    let reset = await server.frame(.resetStream)
    #expect(reset.number() == HTTP2ErrorCode.cancel.rawValue)
    await server.stop()
  }

  // MARK: Load

  @Test func thousandsOfQueuedCallsExpire() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 1))) { _, _ in [] })
    let channel = try Channel(to: server)
    async let first = channel.call()
    _ = await server.frame(.data)
    let codes = await withTaskGroup { group in
      for index in 0..<5_000 {
        // In no particular order, so that calls end in the middle of the queue.
        let timeout = Duration.milliseconds(500 + index * 7919 % 500)
        group.addTask { await channel.call(timeout: timeout).error?.code }
      }
      return await group.reduce(into: Set<StatusCode?>()) { $0.insert($1) }
    }
    #expect(codes == [.deadlineExceeded])
    await server.act(0, okResponse(1))
    #expect(await first.message == [7, 8])
    await server.stop()
  }

  @Test(arguments: [false, true])
  func backsOffFromAServerThatClosesAtOnce(afterSettings: Bool) async throws {
    let server = try await ScriptedServer.start { _, event in
      guard case .accepted = event else { return [] }
      return afterSettings ? [.frames(.settings((3, 0))), .close] : [.close]
    }
    let channel = try Channel(to: server) { $0.failFast = false }
    let outcome = await channel.call(timeout: .milliseconds(1500)) { $0.waitForReady = true }
    #expect(outcome.error?.code == .deadlineExceeded)
    #expect(await server.connections <= (afterSettings ? 6 : 3))
    await server.stop()
  }

  @Test(arguments: [
    Duration(attoseconds: .min), .seconds(Int64.min), .seconds(Int64.max),
    Duration(attoseconds: .max),
  ])
  func acceptsTimesOfAnyLength(time: Duration) async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    for field in [
      \ChannelConfiguration.connectTimeout, \.keepaliveTimeout, \.idleTime,
    ] {
      guard time > .zero else {
        #expect(throws: CallError.self) { try Channel(to: server) { $0[keyPath: field] = time } }
        continue
      }
      let channel = try Channel(to: server) { $0[keyPath: field] = time }
      #expect(await channel.call(timeout: time).message == [7, 8])
      await channel.close(grace: time)
    }
    let channel = try Channel(to: server)
    #expect((await channel.call(timeout: time).message == [7, 8]) == (time > .zero))
    let stream = channel.open(.serverStreaming, [1], timeout: time)
    #expect((await stream.rest().error == nil) == (time > .zero))
    await channel.close(grace: time)
    await server.stop()
  }
}

extension ChannelConfiguration {
  fileprivate var keepaliveTimeout: Duration {
    get { keepalive?.timeout ?? .zero }
    set { keepalive = Keepalive(time: newValue, timeout: newValue, withoutCalls: true) }
  }

  fileprivate var idleTime: Duration {
    get { idleTimeout ?? .zero }
    set { idleTimeout = newValue }
  }
}
