package import WireSystem
package import WireTLS

/// One layer of the byte path between a connection and its server, from the bottom up:
///
///     SocketStream ─ TLSStream (to the proxy) ─ ProxyTunnel ─ TLSStream (to the server) ─ Connection
///
/// All layers but the socket are optional.
///
/// Not Sendable: a layer lives on its loop, which keeps all layers until they are closed or have ended.
/// Until then they hold each other strongly, because weak references would slow down the many retains of
/// a call.
package protocol ByteStream: AnyObject {
  /// The layer above. It is set before the first event.
  var user: (any ByteStreamUser)? { get set }
  /// Whether bytes of the layer above are transferred in both directions.
  var isOpen: Bool { get }
  /// Sends all bytes of the user that the socket accepts; the rest follows automatically.
  func flush()
  /// Sends a close message as far as the socket accepts it at once, and closes. No event follows.
  func close()
}

/// The lowest layer: it transfers bytes between this process and a peer.
package protocol LowestStream: ByteStream {
  /// Whether bytes wait until the peer accepts them.
  var hasUnsentBytes: Bool { get }
  /// Whether bytes are read from the peer. The user may pause reading.
  var isReading: Bool { get set }
  /// Called once, when it is closed for any reason.
  var onClose: (() -> Void)? { get set }
  /// Closes at once, without sending the rest. No event follows.
  func abort()
}

/// Receives the events of a ``ByteStream``, on the loop.
package protocol ByteStreamUser: AnyObject {
  /// This layer, or one below it, has reached this stage.
  func streamReached(_ stage: StreamStage)
  /// Bytes from the peer; valid during the call only.
  func streamReceived(_ bytes: UnsafeRawBufferPointer)
  /// All bytes that were available have been received.
  func streamPaused()
  /// Appends the bytes to send, if there are any.
  func streamFill(_ buffer: inout [UInt8])
  /// The last event: no more bytes are transferred.
  func streamEnded(_ end: StreamEnd)
}

/// The stages on the way to an open stream, in this order.
package enum StreamStage {
  case connected
  /// The TLS handshake with the proxy is done.
  case proxySecured(TLSSession)
  /// The proxy has opened the tunnel to the server.
  case tunneled
  /// The TLS handshake with the server is done.
  case secured(TLSSession)
}

package enum StreamEnd {
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
