import TestSupport
import Testing
import WireHTTP2
import WireIO

@testable import WireGRPCServer

/// The time limits of the server, with a time that the tests set.
@Suite struct ServerTimeTests {
  typealias Step = FixedHandler.Step

  struct Server {
    private let server: TestServer
    let address: SocketAddress

    init(_ steps: [Step] = FixedHandler.message([7])) async throws {
      var configuration = ServerConfiguration()
      // The tests' clients do not acknowledge a GOAWAY.
      configuration.limits.drainTime = .zero
      // Only the tests sweep. On a busy machine a minute may pass between two of their steps, and
      // then a timer would send a PING that the client does not acknowledge.
      server = try await TestServer(steps, configuration, sweepInterval: .seconds(86_400))
      address = server.address
    }

    func sweep(after time: Duration, from start: ContinuousClock.Instant = .now) async {
      await server.server.sweep(now: start + time)
    }

    func stop() async { await server.stop() }
  }

  @Test func connectionWithoutAPrefaceIsClosed() async throws {
    let server = try await Server()
    let socket = try RawClient(server.address)
    socket.write(Array("PRI * HT".utf8))
    // The server's SETTINGS.
    #expect(try !socket.read().isEmpty)
    await server.sweep(after: .seconds(11))
    #expect(try socket.readToEnd().isEmpty)
    await server.stop()
  }

  @Test func sendsGoAwayToAnIdleClient() async throws {
    let server = try await Server()
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    _ = try client.finish(stream, over: socket)
    await server.sweep(after: .seconds(299))
    await server.sweep(after: .seconds(301))
    try client.exchange(over: socket) { client.goAways == [.max] }
    // With no call open the client's session ignores the last GOAWAY.
    #expect(
      try socket.readToEnd()
        == RawFrame.goAway(last: UInt32(stream)).bytes)
    await server.stop()
  }

  @Test func clientThatDoesNotReadIsDisconnected() async throws {
    let large = [UInt8](repeating: 5, count: 20 << 20)
    let server = try await Server(FixedHandler.message(large))
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    try client.exchange(over: socket) { client.replies[stream]?.headers.isEmpty == false }
    await server.sweep(after: .seconds(29))
    await server.sweep(after: .seconds(31))
    // On a busy machine the socket may have taken more only just now.
    await server.sweep(after: .seconds(62))
    #expect(try socket.readToEnd().count < large.count)
    await server.stop()
  }

  @Test func slowRequestEndsAtItsTimeout() async throws {
    let server = try await Server()
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send(
      "/test.Echo/Say", [0], changes: ["grpc-timeout": "20S"], endStream: false)
    // An acknowledged PING means that the request has arrived.
    client.session.ping(1)
    try client.exchange(over: socket) { !client.pings.isEmpty }
    await server.sweep(after: .seconds(21))
    let reply = try client.finish(stream, over: socket)
    #expect(reply.status("grpc-status") == "4")
    await server.stop()
  }

  /// The server waits for its own delay, not for the client.
  @Test func waitingForADelayedStepIsNotAStall() async throws {
    var steps = FixedHandler.message([7])
    steps[2].delay = .seconds(3600)
    let server = try await Server(steps)
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    try client.exchange(over: socket) { client.replies[stream]?.body.isEmpty == false }
    // One start time, so that a busy machine does not add time between the sweeps.
    let start = ContinuousClock.now
    await server.sweep(after: .seconds(3599), from: start)
    await server.sweep(after: .seconds(3601), from: start)
    #expect(try client.finish(stream, over: socket).status("grpc-status") == "0")
    await server.stop()
  }

  @Test func dueActionsAreSentWithoutASweep() async throws {
    var steps = FixedHandler.message([7])
    steps[2].delay = .milliseconds(10)
    let server = try await Server(steps)
    let client = try GRPCClient()
    let start = ContinuousClock.now
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    let reply = try client.finish(stream, over: RawClient(server.address))
    #expect(reply.status("grpc-status") == "0")
    #expect(start.duration(to: .now) >= .milliseconds(10))
    await server.stop()
  }

  /// A stream without an end.
  static let watch = Array(FixedHandler.message([7]).dropLast())

  @Test func silentClientIsPinged() async throws {
    let server = try await Server(Self.watch)
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    try client.exchange(over: socket) { client.replies[stream]?.body.isEmpty == false }
    for minute in 1...5 as ClosedRange<UInt64> {
      await server.sweep(after: .seconds(61 * minute))
      // The acknowledgment of the first PING follows the server's PING. The acknowledgment of the
      // second one shows that the server has received our acknowledgment.
      for number in [2 * minute, 2 * minute + 1] as [UInt64] {
        client.session.ping(number)
        try client.exchange(over: socket) { client.pings.last == number }
      }
    }
    #expect(client.replies[stream]?.closure == nil)
    await server.stop()
  }

  @Test func clientThatDoesNotAcknowledgePingsIsDisconnected() async throws {
    let server = try await Server(Self.watch)
    let client = try GRPCClient()
    let socket = try RawClient(server.address)
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    try client.exchange(over: socket) { client.replies[stream]?.body.isEmpty == false }
    // An acknowledged PING means that the server has read all bytes; later ones are a sign of life.
    client.session.ping(1)
    try client.exchange(over: socket) { !client.pings.isEmpty }
    await server.sweep(after: .seconds(61))
    await server.sweep(after: .seconds(80))
    await server.sweep(after: .seconds(82))
    let last = try socket.readToEnd()
    #expect(last.starts(with: RawFrame.ping(1).bytes))
    await server.stop()
  }
}
