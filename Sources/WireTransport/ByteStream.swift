package import WireSystem
package import WireTLS

/// One layer of the way that bytes take between a connection and its server. From below:
///
///     SocketStream ─ TLSStream (to the proxy) ─ ProxyTunnel ─ TLSStream (to the server) ─ Connection
///
/// of which there are as many as are wanted, the socket at least.
///
/// Not Sendable; a layer lives on its loop, which keeps it, those above and those below until it is
/// closed or ended. (They hold each other strongly until then: weak references would make each of
/// the many retains on the way of a call a slow one.)
package protocol ByteStream: AnyObject {
  /// Who takes what comes. Set before anything can come.
  var user: (any ByteStreamUser)? { get set }
  /// Whether bytes of the user go both ways by now.
  var isOpen: Bool { get }
  /// Sends all that the user has and the socket takes; the rest follows by itself.
  func flush()
  /// Says goodbye as far as the socket takes it at once, and closes. The user hears nothing more.
  func close()
}

/// What a ``ByteStream`` tells the layer above it. All calls come on the loop.
package protocol ByteStreamUser: AnyObject {
  /// This layer, or one below it, has come so far.
  func streamReached(_ milestone: StreamMilestone)
  /// Bytes from the peer; valid during the call only.
  func streamReceived(_ bytes: UnsafeRawBufferPointer)
  /// All that was there for now has been received.
  func streamPaused()
  /// Appends what is to be sent; nothing when there is nothing.
  func streamFill(_ buffer: inout [UInt8])
  /// The last call: no byte comes or goes any more.
  func streamEnded(_ end: StreamEnd)
}

/// What there is on the way to a stream that is open, in this order.
package enum StreamMilestone {
  case connected
  /// The TLS handshake with the proxy is done.
  case proxySecured(TLSSession)
  /// The proxy has opened the way to the server.
  case tunnelled
  /// The TLS handshake with the server is done.
  case secured(TLSSession)
}

package enum StreamEnd {
  /// The peer finished in good order.
  case closedByPeer
  case failed(IOError)
  case proxyFailed(ProxyError)
  case tlsFailed(TLSError)
}

extension StreamEnd {
  package var description: String {
    switch self {
    case .proxyFailed(let error): error.description
    case .closedByPeer: "the server closed it"
    case .failed(let error): error.code.description
    case .tlsFailed(let error): error.description
    }
  }
}
