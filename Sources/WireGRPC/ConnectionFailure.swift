package import WireTLS

/// Why no connection to the server could be made, or why one was lost before it was ready.
public struct ConnectionFailure: Error, Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// The name has no address, or the name server could not be asked.
    case nameNotResolved
    /// Nobody listens on the port.
    case refused
    /// There is no way to the host.
    case unreachable
    /// The host, or the server on it, did not answer in time.
    case timedOut
    /// We speak plaintext, the peer answered with TLS.
    case tlsPeer
    /// We speak plaintext, the peer closed without a byte: what many TLS servers do.
    case closedUnanswered
    /// We speak TLS, the peer does not.
    case plaintextPeer
    /// The peer speaks HTTP/1.1, not HTTP/2.
    case http1Peer
    /// The peer speaks neither HTTP/2 nor anything we know.
    case notHTTP2
    /// The certificate leads to no trusted root; the text is OpenSSL's reason.
    case untrustedCertificate(String)
    /// The certificate is past its end, or before its beginning.
    case expiredCertificate
    /// A certificate of the server's chain is in a list of revoked ones.
    case revokedCertificate
    /// The server asks for a certificate of the client; it was given none, or one that it refused.
    case clientCertificateRefused
    /// The certificate is for other names.
    case hostnameMismatch(expected: String, names: [String])
    /// The peer speaks TLS but did not agree on HTTP/2 (ALPN "h2").
    case noALPN
    /// The TLS handshake failed for another reason, such as no version in common.
    case tlsFailed
    /// The peer broke off the TLS handshake with this alert.
    case tlsAlert(String)
    /// The proxy that the configuration or the environment names cannot be reached.
    case proxyUnreachable
    /// The proxy answered CONNECT with this HTTP status: it may not, or cannot, reach the server.
    case proxyRefused(status: Int)
    /// The proxy wants a user name and a password, or others than it was given.
    case proxyWantsCredentials
    /// The proxy closed, spoke no HTTP/1, or TLS with the proxy itself failed.
    case proxyFailed
    /// The peer closed before the connection was ready.
    case closed
    /// Nothing was dialled: the target, or a file of the configuration, cannot be used.
    case configuration
  }

  public var reason: Reason
  /// Whom we tried to reach: "host:port", with the address when it was known.
  public var peer: String
  /// What happened, in a sentence without the peer.
  public var detail: String
  /// The file or text of the TLS configuration that cannot be used, if that is why.
  package var inputFault: TLSInputFault?

  public init(reason: Reason, peer: String, detail: String) {
    self.reason = reason
    self.peer = peer
    self.detail = detail
  }
}

extension ConnectionFailure {
  /// Whether another attempt would end in the same way, until somebody changes what is set up here or
  /// there.
  package var isLasting: Bool {
    switch reason {
    case .tlsPeer, .plaintextPeer, .http1Peer, .notHTTP2, .noALPN, .tlsFailed,
      .untrustedCertificate, .expiredCertificate, .hostnameMismatch, .configuration:
      true
    default: false
    }
  }
}

extension ConnectionFailure {
  /// With asterisks where it tells of these.
  func without(_ secrets: [Secret]) -> ConnectionFailure {
    var failure = self
    failure.detail = secrets.struck(detail)
    return failure
  }
}

extension ConnectionFailure: CustomStringConvertible {
  public var description: String { "\(peer): \(detail)" }
}
