import WireHTTP2
import WireTLS
import WireTransport

/// State that the connections of a server share. Lives on its loop.
final class ServerContext {
  let handler: any CallHandler
  let limits: ServerLimits
  let tls: TLSContext?
  let buffers = StreamBuffers()
  private let observers: [ServedCall.Observer]

  /// The number of clients that have started a TLS handshake and not sent SETTINGS yet.
  var handshakes = 0
  /// Whether other clients wait for these handshakes to end.
  var isCrowded: Bool { handshakes >= limits.handshakes }
  /// ``isCrowded`` as of the last sweep.
  var wasCrowded = false

  /// The bytes of all requests that are being received.
  var heldBytes = 0
  /// The bytes decompressed so far for all connections.
  var decompressedBytes = 0

  init(_ handler: any CallHandler, _ configuration: ServerConfiguration) {
    self.handler = handler
    limits = configuration.limits
    tls = configuration.tls
    observers = configuration.observers
  }

  /// Whether calls are reported to anyone.
  var isObserved: Bool { !observers.isEmpty }

  /// Returns nil if no observer accepts the call.
  func observer(of fields: [HeaderField], from peer: String) -> ServedCallObserver? {
    isObserved ? ServedCallObserver(fields, peer: peer, observers) : nil
  }
}
