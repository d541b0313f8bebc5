import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCClient

/// A slow reader blocks its server, and a slow server blocks its sender, but no other streams.
@Suite(.timeLimit(.minutes(20))) struct BackPressureTests {
  private static let window = HTTP2Configuration().streamWindow

  /// Returns a server that responds to the first call with headers only, and to all others
  /// completely.
  private func server() async throws -> (ScriptedServer, Channel) {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        stream == 1 ? [.frames(.headers(1, okHeaders))] : [okResponse(stream)]
      })
    return (server, try Channel(to: server))
  }

  private func credit(_ server: ScriptedServer, _ stream: Int) async -> Int {
    await server.received(.windowUpdate, on: 0).filter { $0.stream == UInt32(stream) }
      .reduce(0) { $0 + Int($1.number()) }
  }

  @Test func slowReaderBlocksOnlyItsStream() async throws {
    let (server, channel) = try await server()
    let call = channel.open(.serverStreaming, [])
    _ = try await call.headers
    let count = Self.window / 1024
    let message = [UInt8](repeating: 7, count: 1019)
    await server.act(0, .send((0..<count).flatMap { _ in dataFrames(1, framed(message)) }))
    for _ in 0..<3 { #expect(await channel.call().message == [7, 8]) }
    #expect(await credit(server, 1) == 0)

    for _ in 0..<count { #expect(try await call.next() == message) }
    _ = await server.frame(.windowUpdate) { $0.stream == 1 }
    #expect(await credit(server, 1) >= Self.window / 2)
    await server.act(0, .send(dataFrames(1, framed([1]))))
    #expect(try await call.next() == [1])
    await server.stop()
  }

  @Test func unreadMessagesDoNotOccupyTheConnectionsWindow() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [.frames(.headers(stream, okHeaders))] })
    let channel = try Channel(to: server)
    // Unread streams with full windows, which together exceed the window of the connection.
    let streams = 2 * HTTP2Configuration().connectionWindow / Self.window
    var calls: [StreamingCall] = []
    for _ in 0..<streams { calls.append(channel.open(.serverStreaming, [])) }
    for call in calls { _ = try await call.headers }
    for index in 0..<streams {
      await server.act(
        0, .send(dataFrames(2 * index + 1, framed([UInt8](repeating: 7, count: 1_000_000)))))
    }
    // Without these a server that observes flow control would be blocked.
    let given = HTTP2Configuration().connectionWindow - 65_535
    await server.receiveCredit(given + streams * 1_000_000 / 2, stream: 0)
    for call in calls { #expect(try await call.next()?.count == 1_000_000) }
    await server.stop()
  }

  @Test func acceptsAMessageLongerThanTheWindow() async throws {
    let (server, channel) = try await server()
    let call = channel.open(.serverStreaming, [])
    let message = [UInt8](repeating: 7, count: 3 * Self.window)
    let bytes = framed(message)
    async let received = call.next()
    var sent = 0
    while sent < bytes.count {
      let allowed = Self.window + (await credit(server, 1))
      let next = min(allowed, bytes.count)
      await server.act(0, .send(dataFrames(1, Array(bytes[sent..<next]))))
      sent = next
      if sent == bytes.count { break }
      let known = allowed - Self.window
      await server.receiveCredit(known + 1, stream: 1)
    }
    #expect(try await received == message)
    await server.stop()
  }

  @Test func slowServerBlocksTheSender() async throws {
    let server = try await ScriptedServer.start(
      frameScript(settings: .settings((4, 0))) { _, _ in [] })
    let channel = try Channel(to: server)
    let call = channel.open()
    let sent = Atomic<Int>(0)
    let message = [UInt8](repeating: 7, count: 1019)
    let sender = Task {
      while await call.sendError(message) == nil { sent.add(1024, ordering: .relaxed) }
    }
    _ = await server.frame(.headers)
    var granted = 0
    for _ in 0..<50 {
      await server.act(0, .frames(.windowUpdate(1, 16_384), .windowUpdate(0, 16_384)))
      granted += 16_384
      await server.receive(granted)
      #expect(sent.load(ordering: .relaxed) <= granted + 70 * 1024)
    }
    call.cancel()
    await sender.value
    #expect(sent.load(ordering: .relaxed) >= granted)
    await server.stop()
  }

  @Test func continuesWhenTheServerReadsAgain() async throws {
    let count = 400
    let message = [UInt8](repeating: 7, count: 65_531)
    let server = try await ScriptedServer.start { connection, event in
      guard case .accepted = event else { return [] }
      return [.frames(.settings((4, 1 << 30)), .windowUpdate(0, 1 << 30))]
    }
    let channel = try Channel(to: server)
    let call = channel.open()
    _ = await server.frame(.headers)
    await server.read(0, false)
    let sent = Atomic<Int>(0)
    let sender = Task(executorPreference: channel.executor) {
      for _ in 0..<count where await call.sendError(message) == nil {
        sent.add(1, ordering: .relaxed)
      }
    }
    // Wait until the socket accepts no more: the loop keeps running, for calls that end at once,
    // and the sender on the same loop makes no progress.
    var before = -1
    while before != sent.load(ordering: .relaxed) {
      before = sent.load(ordering: .relaxed)
      for _ in 0..<100 { _ = await channel.call(timeout: .zero) }
    }
    #expect(before < count)
    await server.read(0, true)
    await sender.value
    await server.receive(count * 65_536)
    call.cancel()
    await server.stop()
  }

  @Test func endOfTheCallWakesAWaitingSender() async throws {
    let server = try await ScriptedServer.start(
      frameScript(settings: .settings((4, 0))) { _, _ in [] })
    let channel = try Channel(to: server)
    let call = channel.open()
    let sender = Task {
      while true {
        if let error = await call.sendError([UInt8](repeating: 7, count: 10_000)) { return error }
      }
    }
    _ = await server.frame(.headers)
    await server.act(
      0, .frames(.headers(1, okHeaders + fields(["grpc-status": "8"]), endStream: true)))
    #expect(await sender.value.code == .resourceExhausted)
    #expect(await server.reset() == .noError)
    await server.stop()
  }

  @Test func waitingSenderCanBeCanceled() async throws {
    let server = try await ScriptedServer.start(
      frameScript(settings: .settings((4, 0))) { _, _ in [] })
    let channel = try Channel(to: server)
    let call = channel.open()
    let sender = Task {
      while true {
        if let error = await call.sendError([UInt8](repeating: 7, count: 10_000)) { return error }
      }
    }
    _ = await server.frame(.headers)
    sender.cancel()
    #expect(await sender.value.code == .cancelled)
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  @Test func senderWithoutAConnectionWaits() async throws {
    let server = try await ScriptedServer.start(
      requestScript(settings: .settings((3, 0))) { _, stream in
        [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let call = channel.open()
    let sender = Task {
      for _ in 0..<100 { try await call.send([UInt8](repeating: 7, count: 10_000)) }
      call.finish()
    }
    _ = await server.frame(.settings) { $0.has(.acknowledge) }
    await server.act(0, .frames(.windowUpdate(0, 2_000_000), .settings((3, 1), (4, 2_000_000))))
    #expect(await call.rest().messages == [[7, 8]])
    try await sender.value
    #expect(await server.body().count == 100 * 10_005)
    await server.stop()
  }
}
