public import WireSystem

/// What one read or write came to.
public enum IOResult: Sendable, Hashable {
  /// This many bytes were moved, at least one.
  case bytes(Int)
  /// Nothing now: wait for readiness.
  case wouldBlock
  /// The peer has finished writing. Only from reads.
  case endOfStream
  /// The connection is broken.
  case failed(IOError)
}

/// One non-blocking TCP or unix stream connection.
///
/// Owns its descriptor and closes it when dropped. Not Sendable: one actor owns it.
public final class Socket {
  /// For `EventLoop.watch`; -1 once closed.
  public private(set) var fileDescriptor: Int32
  /// The other end; for an accepted connection as the kernel tells it.
  public let remoteAddress: SocketAddress

  /// Starts to connect. Watch for `.write`, then call `finishConnecting()`.
  ///
  /// Throws what the kernel says at once, for example `noSuchFile` for a unix path.
  public init(connectingTo address: SocketAddress) throws(IOError) {
    let descriptor = SystemCalls.streamSocket(address.protocolFamily)
    guard descriptor != -1 else { throw IOError(operation: "open a socket to \(address)") }
    fileDescriptor = descriptor
    remoteAddress = address
    sendWithoutDelay()
    let status = unsafe address.withSockaddr { unsafe connect(descriptor, $0, $1) }
    // An interrupted connect goes on by itself, like one in progress (POSIX).
    if status == -1, errno != EINPROGRESS, errno != EINTR {
      throw IOError(operation: "connect to \(address)")
    }
  }

  /// An accepted connection.
  init(accepted descriptor: Int32, from remoteAddress: SocketAddress) {
    fileDescriptor = descriptor
    self.remoteAddress = remoteAddress
    sendWithoutDelay()
  }

  deinit {
    close()
  }

  /// Whether the connection is there: false while it still waits for the peer.
  ///
  /// Call it when the socket is writable; a call too many does no harm. Throws why it failed.
  public func finishConnecting() throws(IOError) -> Bool {
    let operation = "connect to \(remoteAddress)"
    var reason: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(fileDescriptor, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 else {
      throw IOError(operation: operation)
    }
    guard reason == 0 else { throw IOError(code: .init(rawValue: reason), operation: operation) }
    let peer: SocketAddress
    do throws(IOError) {
      peer = try unsafe SocketAddress(asking: operation) {
        unsafe getpeername(fileDescriptor, $0, $1)
      }
    } catch {
      if error.code.rawValue == ENOTCONN { return false }
      throw error
    }
    // TCP may connect a socket to itself when nobody listens on a loopback port that the kernel
    // also picked as the local one.
    if peer.family != .unix, try peer == localAddress() {
      throw IOError(code: .connectionRefused, operation: operation)
    }
    return true
  }

  /// This end's address.
  public func localAddress() throws(IOError) -> SocketAddress {
    try unsafe SocketAddress(asking: "ask for the local address") {
      unsafe getsockname(fileDescriptor, $0, $1)
    }
  }

  /// Reads what is there into `buffer`, which must not be empty.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
    let count = SystemCalls.retrying {
      unsafe recv(fileDescriptor, buffer.baseAddress, buffer.count, 0)
    }
    return count == 0 ? .endOfStream : result(count, "read from")
  }

  /// Writes as much of `bytes`, which must not be empty, as the kernel takes.
  public func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
    result(unsafe SystemCalls.send(fileDescriptor, bytes), "write to")
  }

  /// Tells the peer that no more comes; reading goes on.
  public func shutdownWrite() {
    _ = shutdown(fileDescriptor, Int32(SHUT_WR))
  }

  /// Closes the descriptor. Cancel its watch first. A second call does nothing.
  public func close() {
    guard fileDescriptor != -1 else { return }
    closeDescriptor(fileDescriptor)
    fileDescriptor = -1
  }

  private func result(_ count: Int, _ what: String) -> IOResult {
    if count >= 0 { return .bytes(count) }
    if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
    return .failed(IOError(code: .init(rawValue: errno), operation: "\(what) \(remoteAddress)"))
  }

  /// Frames are batched above, so the kernel need not wait for more (no Nagle).
  private func sendWithoutDelay() {
    guard remoteAddress.family != .unix else { return }
    _ = SystemCalls.setOption(fileDescriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  }
}
