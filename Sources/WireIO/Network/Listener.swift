package import WireSystem

/// A listening socket.
///
/// Owns its descriptor, and the file of a unix socket, until it is closed or released. Not
/// Sendable.
package final class Listener {
  /// For `EventLoop.watch` with `.read`; -1 after it was closed.
  package private(set) var fileDescriptor: Int32
  /// The address, with the port that the kernel chose for port 0.
  package let localAddress: SocketAddress

  /// Binds and listens. `[::]` accepts IPv4, too.
  ///
  /// - Parameter backlog: the number of connections that the kernel keeps waiting.
  package init(on address: SocketAddress, backlog: Int32 = 128) throws(IOError) {
    let operation = "listen on \(address)"
    let descriptor = SystemCalls.streamSocket(address.protocolFamily)
    guard descriptor != -1 else { throw IOError(operation: operation) }
    do throws(IOError) {
      _ = SystemCalls.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
      if address.family == .ipv6 {
        _ = SystemCalls.setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
      }
      guard
        unsafe address.withSockaddr({ unsafe bind(descriptor, $0, $1) }) == 0,
        listen(descriptor, backlog) == 0
      else { throw IOError(operation: operation) }
      localAddress = try unsafe SocketAddress(operation: operation) {
        unsafe getsockname(descriptor, $0, $1)
      }
    } catch {
      closeDescriptor(descriptor)
      throw error
    }
    fileDescriptor = descriptor
  }

  deinit {
    close()
  }

  /// Accepts the next connection; returns `nil` if none waits. A peer that has already left is
  /// skipped.
  ///
  /// - Throws: EMFILE and similar errors. The connection still waits then, so stop
  ///   watching for a while.
  package func accept() throws(IOError) -> Socket? {
    while true {
      let descriptor = SystemCalls.acceptStream(fileDescriptor)
      guard descriptor == -1 else {
        let operation = "accept on \(localAddress)"
        do throws(IOError) {
          let peer = try unsafe SocketAddress(operation: operation) {
            unsafe getpeername(descriptor, $0, $1)
          }
          return Socket(accepted: descriptor, from: peer.unmapped)
        } catch {
          closeDescriptor(descriptor)
          continue
        }
      }
      switch errno {
      case EAGAIN, EWOULDBLOCK: return nil
      // Linux also returns network errors of the new connection here: accept(2).
      case ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH:
        continue
      default: throw IOError(operation: "accept on \(localAddress)")
      }
    }
  }

  /// Stops listening and removes the file of a unix socket. A second call does nothing.
  package func close() {
    guard fileDescriptor != -1 else { return }
    closeDescriptor(fileDescriptor)
    fileDescriptor = -1
    if let path = localAddress.unixPath { _ = unsafe unlink(path) }
  }
}
