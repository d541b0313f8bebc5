import TestSupport
import Testing
import WireSystem

@testable import WireIO
@testable import WireSystem

@Suite(.timeLimit(.minutes(20))) struct SocketTests {
  static let loopbacks = ["127.0.0.1", "::1", "unix"]

  /// An address that nobody else uses: port 0, or a new path.
  static func freshAddress(_ kind: String) throws -> SocketAddress {
    if kind != "unix" { return try #require(SocketAddress(numericHost: kind, port: 0)) }
    return try SocketAddress(unixPath: "/tmp/tripwire-\(getpid())-\(UInt32.random(in: 0...(.max)))")
  }

  /// Both ends of a connection, created on the test's own thread.
  static func pair(_ kind: String) throws -> (client: Socket, server: Socket, listener: Listener) {
    let listener = try Listener(on: freshAddress(kind))
    let client = try Socket(connectingTo: listener.localAddress)
    wait(listener.fileDescriptor, POLLIN)
    let server = try #require(try listener.accept())
    wait(client.fileDescriptor, POLLOUT)
    #expect(try client.finishConnecting())
    return (client, server, listener)
  }

  static func wait(_ descriptor: Int32, _ events: Int32, milliseconds: Int32 = -1) {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }

  static func write(_ socket: Socket, _ bytes: [UInt8]) -> IOResult {
    bytes.withUnsafeBytes { socket.write($0) }
  }

  static func read(_ socket: Socket, _ count: Int) -> (IOResult, [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { socket.read(into: $0) }
    if case .bytes(let count) = result { return (result, Array(bytes.prefix(count))) }
    return (result, [])
  }

  @Test(arguments: loopbacks) func connectsReadsAndWrites(kind: String) throws {
    let (client, server, listener) = try Self.pair(kind)
    #expect(client.remoteAddress == listener.localAddress)
    #expect(try server.localAddress() == listener.localAddress)
    if kind != "unix" { #expect(try server.remoteAddress == client.localAddress()) }
    #expect(Self.read(server, 10).0 == .wouldBlock)
    #expect(Self.write(client, [1, 2, 3]) == .bytes(3))
    Self.wait(server.fileDescriptor, POLLIN)
    #expect(Self.read(server, 2) == (.bytes(2), [1, 2]))
    #expect(Self.read(server, 2) == (.bytes(1), [3]))
    #expect(Self.read(server, 2).0 == .wouldBlock)
  }

  @Test(arguments: loopbacks) func oneHalfCanBeClosed(kind: String) throws {
    let (client, server, _) = try Self.pair(kind)
    client.shutdownWrite()
    Self.wait(server.fileDescriptor, POLLIN)
    #expect(Self.read(server, 10).0 == .endOfStream)
    #expect(Self.write(server, [7]) == .bytes(1))
    Self.wait(client.fileDescriptor, POLLIN)
    #expect(Self.read(client, 10) == (.bytes(1), [7]))
  }

  @Test(arguments: loopbacks) func writingToAClosedPeerFailsWithoutASignal(kind: String) throws {
    let (client, server, _) = try Self.pair(kind)
    server.close()
    var result = Self.write(client, [1])
    while case .bytes = result {
      Self.wait(client.fileDescriptor, POLLIN)
      result = Self.write(client, [1])
    }
    guard case .failed(let error) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.code == .brokenPipe || error.code == .connectionReset)
    #expect(error.operation == "write to \(client.remoteAddress)")
  }

  @Test func resetIsAReadError() throws {
    let (client, server, _) = try Self.pair("127.0.0.1")
    // With a linger time of zero, close sends RST.
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      server.fileDescriptor, SOL_SOCKET, SO_LINGER, &linger,
      socklen_t(MemoryLayout.size(ofValue: linger)))
    server.close()
    Self.wait(client.fileDescriptor, POLLIN)
    #expect(
      Self.read(client, 10).0
        == .failed(IOError(code: .connectionReset, operation: "read from \(client.remoteAddress)")))
  }

  @Test(arguments: ["127.0.0.1", "::1"]) func refusedPortIsNamed(host: String) throws {
    let port = host == "::1" ? ClosedPort.ipv6 : ClosedPort.ipv4
    let address = try #require(SocketAddress(numericHost: host, port: port))
    let refused = IOError(code: .connectionRefused, operation: "connect to \(address)")
    #expect(throws: refused) {
      let socket = try Socket(connectingTo: address)
      Self.wait(socket.fileDescriptor, POLLOUT)
      _ = try socket.finishConnecting()
    }
  }

  @Test func missingUnixSocketIsNamed() throws {
    let address = try Self.freshAddress("unix")
    #expect(throws: IOError(code: .noSuchFile, operation: "connect to \(address)")) {
      try Socket(connectingTo: address)
    }
  }

  /// Linux completes one connection more than the backlog, and lets the others wait.
  @Test func silentHostKeepsTheConnectionPending() throws {
    let listener = try Listener(on: Self.freshAddress("127.0.0.1"), backlog: 0)
    var sockets: [Socket] = []
    var isBlocked = false
    while !isBlocked, sockets.count < 16 {
      let socket = try Socket(connectingTo: listener.localAddress)
      Self.wait(socket.fileDescriptor, POLLOUT, milliseconds: 200)
      isBlocked = try !socket.finishConnecting()
      sockets.append(socket)
    }
    #expect(isBlocked)
    // A second call is harmless.
    #expect(try sockets.last?.finishConnecting() == false)
  }

  @Test func socketsAreNonBlockingUndelayedAndNotInherited() throws {
    let (client, server, listener) = try Self.pair("127.0.0.1")
    for descriptor in [client.fileDescriptor, server.fileDescriptor, listener.fileDescriptor] {
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
    }
    for descriptor in [client.fileDescriptor, server.fileDescriptor] {
      var value: Int32 = 0
      var size = socklen_t(4)
      #expect(getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &size) == 0)
      #expect(value != 0)
    }
  }

  @Test func secondCloseDoesNothing() throws {
    let (client, _, _) = try Self.pair("unix")
    client.close()
    client.close()
    #expect(client.fileDescriptor == -1)
    guard case .failed = Self.write(client, [1]) else {
      Issue.record("wrote to a closed socket")
      return
    }
  }

  /// Two actors on two loops exchange a megabyte in both directions through small kernel buffers.
  @Test(arguments: loopbacks) func transfersAMegabyteThroughSmallBuffers(kind: String) async throws
  {
    let (client, server, _) = try Self.pair(kind)
    for descriptor in [client.fileDescriptor, server.fileDescriptor] {
      _ = SystemCalls.setOption(descriptor, SOL_SOCKET, SO_SNDBUF, 4096)
      _ = SystemCalls.setOption(descriptor, SOL_SOCKET, SO_RCVBUF, 16_384)
    }
    let count = 1 << 20
    let ends = [OnLoop(client), OnLoop(server)]
    try await withLoop { _, first in
      try await withLoop { _, second in
        async let one = exchange(count, over: ends[0], on: first)
        async let other = exchange(count, over: ends[1], on: second)
        #expect(await one == count)
        #expect(await other == count)
      }
    }
  }

  /// Writes `count` bytes and reads to the end. Returns how many bytes arrived in the right order.
  private func exchange(_ count: Int, over end: OnLoop<Socket>, on worker: LoopWorker) async -> Int
  {
    await worker.wait { loop, done in
      let socket = end.value
      let state = OnLoop((written: 0, read: 0, interest: Readiness([.read, .write])))
      let watch = OnLoop<Watch?>(nil)
      let chunk = (0..<65_536).map { UInt8(truncatingIfNeeded: $0) }
      watch.value = loop.watch(socket.fileDescriptor, for: [.read, .write]) { readiness in
        if readiness.contains(.write) {
          let start = state.value.written % 256
          let end = min(chunk.count, start + count - state.value.written)
          if case .bytes(let written) = Self.write(socket, Array(chunk[start..<end])) {
            state.value.written += written
          }
          if state.value.written == count {
            socket.shutdownWrite()
            state.value.interest.remove(.write)
          }
        }
        if readiness.contains(.read) {
          let (result, bytes) = Self.read(socket, 10_000)
          for byte in bytes where byte == UInt8(truncatingIfNeeded: state.value.read) {
            state.value.read += 1
          }
          if result == .endOfStream { state.value.interest.remove(.read) }
        }
        watch.value?.update(state.value.interest)
        if state.value.interest.isEmpty {
          watch.value?.cancel()
          done(state.value.read)
        }
      }
    }
  }
}
