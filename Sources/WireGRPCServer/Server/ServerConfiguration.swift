package import WireTLS

/// The configuration of a server: TLS, limits and observers.
package struct ServerConfiguration: Sendable {
  /// The server's certificate and key; nil for plaintext HTTP/2.
  package var tls: TLSContext?
  var limits = ServerLimits()
  /// Observers of every call.
  package var observers: [ServedCall.Observer] = []

  package init() {}
}
