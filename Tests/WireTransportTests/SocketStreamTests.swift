import TestSupport
import Testing
import WireIO

@testable import WireTransport

/// Streams that a server has accepted.
@Suite struct SocketStreamTests {
  /// Sends "bye" and closes when the first bytes arrive, without reading the rest.
  private final class User: ByteStreamUser {
    private let stream: SocketStream
    private var unsent = Array("bye".utf8)

    init(_ stream: SocketStream) {
      self.stream = stream
      stream.user = self
    }

    func streamReached(_ stage: StreamStage) {}
    func streamReceived(_ bytes: UnsafeRawBufferPointer) {}
    func streamPaused() { stream.close() }
    func streamFill(_ buffer: inout [UInt8]) {
      buffer += unsent
      unsent = []
    }
    func streamEnded(_ end: StreamEnd) {}
  }

  private actor Server {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) {
      self.loop = loop
    }

    private var isClosed = false
    private var waiter: CheckedContinuation<Void, Never>?

    /// Accepts a connection.
    func accept(_ listener: sending Listener, lingerTime: Duration) throws {
      let socket = try #require(try listener.accept())
      let stream = SocketStream(
        accepted: socket, loop: loop, buffers: StreamBuffers(), lingerTime: lingerTime)
      stream.onClose = {
        self.isClosed = true
        self.waiter?.resume()
      }
      _ = User(stream)
      #expect(stream.isOpen)
    }

    /// Returns once the socket is closed.
    func closed() async {
      guard !isClosed else { return }
      await withCheckedContinuation { waiter = $0 }
    }
  }

  /// Runs `body` with a client whose server closes while bytes of the client are unread.
  private static func serving(
    lingerTime: Duration, _ body: (inout RawClient?) throws -> Void
  ) async throws {
    let address = try #require(SocketAddress(numericHost: "127.0.0.1", port: 0))
    let listener = try Listener(on: address)
    var client: RawClient? = try RawClient(listener.localAddress)
    let loop = try EventLoop.start(name: "test")
    let server = Server(loop)
    // `body` blocks a thread of the pool, so the server must have accepted before.
    try await server.accept(listener, lingerTime: lingerTime)
    client?.write([UInt8](repeating: 1, count: 200_000))
    let result = Result { try body(&client) }
    await server.closed()
    loop.stop()
    try result.get()
  }

  @Test func lingersUntilTheClientCloses() async throws {
    try await Self.serving(lingerTime: .seconds(3600)) { client in
      let answer = try client?.readToEnd()
      #expect(answer == Array("bye".utf8))
      client = nil
    }
  }

  @Test func lingerTimeIsLimited() async throws {
    try await Self.serving(lingerTime: .milliseconds(1)) { _ in }
  }
}
