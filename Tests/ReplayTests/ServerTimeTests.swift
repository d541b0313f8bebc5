import TestSupport
import Testing
import WireGRPC
import WireHTTP2
import WireIO

@testable import Recording
@testable import Replay

/// What the server ends because it takes too long, in a time that tests make up.
@Suite struct ServerTimeTests {
  struct Server {
    let loop: EventLoop
    let engine: ReplayEngine
    let address: SocketAddress

    init(_ calls: [RecordedCall] = [Recordings.call()]) async throws {
      loop = try EventLoop.start(name: "test")
      let listener = try Listener(on: ReplayServer.parse("127.0.0.1:0"))
      address = listener.localAddress
      // The tests' clients are not awake to say goodbye.
      var limits = ServerLimits()
      limits.roundTripTime = .zero
      limits.lingerTime = .zero
      engine = ReplayEngine(AnswerBook(calls), limits: limits, listener: listener, loop: loop)
      await engine.start()
    }

    func sweep(after time: Duration) async {
      await engine.sweep(now: .now + time)
    }

    func stop() async {
      await engine.drain()
      loop.stop()
    }
  }

  @Test func endsAConnectionThatDoesNotBegin() async throws {
    let server = try await Server()
    let socket = try RawClient(server.address)
    socket.write(Array("PRI * HT".utf8))
    // The server's SETTINGS.
    #expect(try !socket.read().isEmpty)
    await server.sweep(after: .seconds(11))
    #expect(try socket.readToEnd().isEmpty)
    await server.stop()
  }

  @Test func saysGoodbyeToAnIdleClient() async throws {
    let server = try await Server()
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    _ = try client.finish(stream, over: socket)
    await server.sweep(after: .seconds(299))
    await server.sweep(after: .seconds(301))
    try client.exchange(over: socket) { client.goAways == [.max] }
    // With no call open our session takes no notice of the last GOAWAY.
    #expect(
      try socket.readToEnd()
        == RawFrame.goAway(last: UInt32(stream)).bytes)
    await server.stop()
  }

  @Test func endsAClientThatDoesNotRead() async throws {
    let large = [UInt8](repeating: 5, count: 20 << 20)
    let server = try await Server([Recordings.call(responses: [large])])
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    try client.exchange(over: socket) { client.replies[stream]?.headers.isEmpty == false }
    await server.sweep(after: .seconds(29))
    await server.sweep(after: .seconds(31))
    #expect(try socket.readToEnd().count < large.count)
    await server.stop()
  }

  @Test func tellsAClientThatItsRequestTookTooLong() async throws {
    let server = try await Server()
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send(
      "/test.Echo/Say", [0], changes: ["grpc-timeout": "20S"], endStream: false)
    // A PING answered means that the request has come.
    client.session.ping(1)
    try client.exchange(over: socket) { !client.pings.isEmpty }
    await server.sweep(after: .seconds(21))
    let reply = try client.finish(stream, over: socket)
    #expect(reply.status("grpc-status") == "4")
    await server.stop()
  }
}
