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
      engine = ReplayEngine(AnswerBook(calls), limits: ServerLimits(), listener: listener, loop: loop)
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
    while client.goAways.count < 2 {
      client.receive(try socket.read())
      socket.write(client.output())
    }
    #expect(client.goAways == [.max, stream])
    #expect(try socket.readToEnd().isEmpty)
    await server.stop()
  }

  @Test func endsAClientThatDoesNotRead() async throws {
    let large = [UInt8](repeating: 5, count: 20 << 20)
    let server = try await Server([Recordings.call(responses: [large])])
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    while client.replies[stream]?.headers.isEmpty == true {
      socket.write(client.output())
      client.receive(try socket.read())
    }
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
    socket.write(client.output())
    client.receive(try socket.read())
    // A PING answered means that the request has come.
    client.session.ping(1)
    socket.write(client.output())
    client.receive(try socket.read())
    await server.sweep(after: .seconds(21))
    let reply = try client.finish(stream, over: socket)
    #expect(reply.status("grpc-status") == "4")
    await server.stop()
  }

  #if os(Linux)
    @Test func givesEverythingBack() async throws {
      await #expect(processExitsWith: .success) {
        func holdings() throws -> [Int] {
          try ["/proc/self/fd", "/proc/self/task"].map { try entries(of: $0) }
        }
        var before: [Int] = []
        for round in 0..<3 {
          try await ReplayServerTests.serving { address in
            for _ in 0..<5 { try ReplayServerTests.expectAnswer(from: address) }
          }
          if round == 0 { before = try holdings() }
        }
        #expect(try holdings() == before)
      }
    }
  #endif
}
