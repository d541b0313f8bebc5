import TestSupport
import Testing
import WireGRPC
import WireHTTP2
import WireIO
import WireTLS

@testable import WireGRPCServer

/// Responds to each call of /test.Echo/Say with the same actions once the request is complete.
final class FixedHandler: CallHandler {
  struct Step: Sendable {
    var action: ResponseAction
    /// The time since the previous step.
    var delay: Duration = .zero
  }

  /// A message and trailers.
  static func message(_ bytes: [UInt8]) -> [Step] {
    [
      Step(action: .headers(HeaderList(ResponseHeaders.common))),
      Step(action: .message(GRPCClient.framed(bytes))),
      Step(action: .trailers(HeaderList(Status(.ok).headerFields))),
    ]
  }

  private let steps: [Step]

  init(_ steps: [Step] = message([7])) {
    self.steps = steps
  }

  func route(_ head: RequestHead) throws(Refusal) -> CallRoute {
    guard head.path == "/test.Echo/Say" else { throw Refusal(.unimplemented, "no such method") }
    return CallRoute { [steps] in FixedResponder(steps) }
  }

  func shutDown() {}
}

private final class FixedResponder: CallResponder {
  private var steps: ArraySlice<FixedHandler.Step>
  private var since: ContinuousClock.Instant?

  init(_ steps: [FixedHandler.Step]) {
    self.steps = steps[...]
  }

  var needsRequest: Bool { since == nil }
  var waitsForClient: Bool { since == nil }
  var due: ContinuousClock.Instant? {
    guard let since, let step = steps.first else { return nil }
    return since + step.delay
  }

  func chooseResponse(
    to messages: [[UInt8]], isComplete: Bool, observer: ServedCallObserver?,
    now: ContinuousClock.Instant
  ) {
    if isComplete { since = now }
  }

  func receive(_ request: inout IncomingRequest, now: ContinuousClock.Instant) {
    _ = request.take()
  }

  func next(_ request: inout IncomingRequest, now: ContinuousClock.Instant) -> ResponseAction? {
    guard let due, due <= now, let step = steps.popFirst() else { return nil }
    since = due
    return step.action
  }
}

/// A server on 127.0.0.1 with a ``FixedHandler``.
struct TestServer {
  let loop: EventLoop
  let server: GRPCServer
  let address: SocketAddress

  init(
    _ steps: [FixedHandler.Step] = FixedHandler.message([7]),
    _ configuration: ServerConfiguration = .init(), sweepInterval: Duration = .milliseconds(250)
  ) async throws {
    loop = try EventLoop.start(name: "test")
    let any = try #require(SocketAddress(numericHost: "127.0.0.1", port: 0))
    let listener = try Listener(on: any, backlog: 1024)
    address = listener.localAddress
    server = GRPCServer(
      FixedHandler(steps), configuration, loop: loop, sweepInterval: sweepInterval)
    await server.start(listener)
  }

  func stop() async {
    await server.drain()
    loop.stop()
  }

  /// Runs `body` against a server and stops it.
  static func serving(
    _ steps: [FixedHandler.Step] = FixedHandler.message([7]), limits: ServerLimits = .patient,
    tls: TLSContext? = nil, _ body: (SocketAddress) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.limits = limits
    configuration.tls = tls
    let server = try await TestServer(steps, configuration)
    do {
      try await body(server.address)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  static func expectResponse(from address: SocketAddress) throws {
    let client = try GRPCClient()
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    let reply = try client.finish(stream, over: RawClient(address))
    #expect(reply.body == GRPCClient.framed([7]))
    #expect(reply.status("grpc-status") == "0")
  }
}
