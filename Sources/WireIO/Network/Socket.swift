package import WireSystem

/// The result of one read or write.
package enum IOResult: Sendable, Hashable {
  /// The number of bytes that were moved, at least one.
  case bytes(Int)
  /// Nothing for now: wait until the socket is ready.
  case wouldBlock
  /// The peer has closed its sending side. Only from reads.
  case endOfStream
  /// The connection is broken.
  case failed(IOError)
}

/// A non-blocking TCP or unix stream connection.
///
/// Owns its descriptor and closes it when it is released. Not Sendable: one actor owns it.
package final class Socket {
  /// For `EventLoop.watch`; -1 after it was closed.
  package private(set) var fileDescriptor: Int32
  /// The peer's address; for an accepted connection as reported by the kernel.
  package let remoteAddress: SocketAddress

  /// Starts to connect. Watch for `.write`, then call `finishConnecting()`.
  ///
  /// - Throws: the errors that the kernel reports at once, for example `noSuchFile` for a unix
  ///   path.
  package init(connectingTo address: SocketAddress) throws(IOError) {
    let descriptor = SystemCalls.streamSocket(address.protocolFamily)
    guard descriptor != -1 else { throw IOError(operation: "open a socket to \(address)") }
    fileDescriptor = descriptor
    remoteAddress = address
    sendWithoutDelay()
    let status = unsafe address.withSockaddr { unsafe connect(descriptor, $0, $1) }
    // An interrupted connect continues by itself, like one in progress (POSIX).
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

  /// Returns whether the connection is established; false while it still waits for the peer.
  ///
  /// Call it when the socket is writable. Extra calls are harmless.
  ///
  /// - Throws: why the connection failed.
  package func finishConnecting() throws(IOError) -> Bool {
    let operation = "connect to \(remoteAddress)"
    var reason: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(fileDescriptor, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 else {
      throw IOError(operation: operation)
    }
    guard reason == 0 else { throw IOError(code: .init(rawValue: reason), operation: operation) }
    let peer: SocketAddress
    do throws(IOError) {
      peer = try unsafe SocketAddress(operation: operation) {
        unsafe getpeername(fileDescriptor, $0, $1)
      }
    } catch {
      if error.code.rawValue == ENOTCONN { return false }
      throw error
    }
    // TCP may connect a socket to itself if nobody listens on a loopback port that the kernel also
    // chose as the local port.
    if peer.family != .unix, try peer == localAddress() {
      throw IOError(code: .connectionRefused, operation: operation)
    }
    return true
  }

  package func localAddress() throws(IOError) -> SocketAddress {
    try unsafe SocketAddress(operation: "get the local address") {
      unsafe getsockname(fileDescriptor, $0, $1)
    }
  }

  /// Reads available bytes into `buffer`, which must not be empty.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
    let count = SystemCalls.retrying {
      unsafe recv(fileDescriptor, buffer.baseAddress, buffer.count, 0)
    }
    return count == 0 ? .endOfStream : result(count, "read from")
  }

  /// Writes as much of `bytes`, which must not be empty, as the kernel accepts.
  package func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
    result(unsafe SystemCalls.send(fileDescriptor, bytes), "write to")
  }

  /// Closes the sending side. Reading continues.
  package func shutdownWrite() {
    _ = shutdown(fileDescriptor, Int32(SHUT_WR))
  }

  /// Closes the descriptor. Cancel its watch first. A second call does nothing.
  package func close() {
    guard fileDescriptor != -1 else { return }
    closeDescriptor(fileDescriptor)
    fileDescriptor = -1
  }

  private func result(_ count: Int, _ what: String) -> IOResult {
    if count >= 0 { return .bytes(count) }
    if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
    return .failed(IOError(code: .init(rawValue: errno), operation: "\(what) \(remoteAddress)"))
  }

  /// Frames are batched above, so the kernel need not wait for more data (Nagle's algorithm).
  private func sendWithoutDelay() {
    guard remoteAddress.family != .unix else { return }
    _ = SystemCalls.setOption(fileDescriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  }
}
