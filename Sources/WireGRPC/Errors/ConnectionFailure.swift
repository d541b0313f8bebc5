/// The reason why no connection could be made, or why one was lost before it was ready.
public struct ConnectionFailure: Error, Sendable, Hashable {
  /// The cause of the failure.
  public enum Reason: Sendable, Hashable {
    /// The name has no address, or the name server did not answer.
    case nameNotResolved
    /// Nothing listens on the port or the unix socket, or the socket does not exist.
    case refused
    /// No route leads to the host.
    case unreachable
    /// The host or the server did not respond in time.
    case timedOut
    /// The proxy, or the server behind it, did not respond in time.
    case proxyTimedOut
    /// The client uses plaintext, but the peer answered with TLS.
    case tlsPeer
    /// The client uses plaintext, and the peer closed without a byte, as many TLS servers do.
    case closedUnanswered
    /// The client uses TLS, but the peer uses HTTP/2 without TLS.
    case plaintextPeer
    /// The peer answered with HTTP/1 or an HTML page instead of HTTP/2.
    case http1Peer
    /// The peer answered with neither HTTP/2 nor another known protocol.
    case notHTTP2
    /// The peer speaks HTTP/2, and violated it before the connection was ready.
    case protocolViolation
    /// The certificate does not lead to a trusted root, or the revocation list of an issuer is missing or
    /// out of date; the text is the reason.
    case untrustedCertificate(String)
    /// The certificate has expired.
    case expiredCertificate
    /// The certificate is not valid yet.
    case notYetValidCertificate
    /// A certificate of the server's chain is on a revocation list.
    case revokedCertificate
    /// The server requires a client certificate. None was configured, or the server refused it.
    case clientCertificateRefused
    /// The certificate is for other host names.
    case hostnameMismatch(expected: String, names: [String])
    /// The peer speaks TLS but did not agree on HTTP/2 (ALPN "h2").
    case noALPN
    /// The peer offers no TLS version or cipher suite that the client accepts.
    case noCommonTLS
    /// TLS failed for another reason, such as an invalid record.
    case tlsFailed
    /// The peer aborted the TLS handshake with this alert.
    case tlsAlert(String)
    /// The configured proxy cannot be reached.
    case proxyUnreachable
    /// The proxy answered CONNECT with this HTTP status.
    case proxyRefused(status: Int)
    /// The proxy requires a user name and a password, or refused those configured.
    case proxyAuthenticationRequired
    /// The URL of the proxy begins with `https://`, and the proxy does not use TLS.
    case plaintextProxy
    /// The certificate of the proxy does not lead to a trusted root.
    case untrustedProxyCertificate
    /// The proxy closed the connection, did not speak HTTP/1, or TLS with the proxy failed for another
    /// reason.
    case proxyFailed
    /// The peer closed the connection before it was ready.
    case closed
    /// Nothing was dialed: the target or a configured file is invalid.
    case configuration
    /// Nothing was dialed: the URL of the proxy is invalid.
    case proxyConfiguration
  }

  /// The cause of the failure.
  public var reason: Reason
  /// The peer: "host:port", with the address if it was known.
  public var peer: String
  /// The cause, as a clause without the peer.
  public var detail: String
  /// The error about the invalid file or text, from the module that reads it, such as WireTLS.
  package var inputFault: InputFault?

  /// Creates a failure from its properties.
  public init(reason: Reason, peer: String, detail: String) {
    self.reason = reason
    self.peer = peer
    self.detail = detail
  }
}

extension ConnectionFailure {
  /// An error about an input, of any module. All values are equal; `detail` tells them apart.
  ///
  /// Indirect, because every `CallError` has space for a connection failure and few have a fault.
  package indirect enum InputFault: Sendable, Hashable {
    case error(any Error)

    package var error: any Error {
      switch self {
      case .error(let error): error
      }
    }

    package static func == (one: Self, other: Self) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
  }
}

extension ConnectionFailure.Reason {
  /// The party that has to act. It decides whether another attempt or address can help.
  package enum Fault: Sendable {
    /// The caller's configuration: nothing was dialed.
    case caller
    /// The network: no peer answered at this address. Another attempt or address may succeed.
    case network
    /// The peer answered and failed. Another attempt may succeed.
    case peer
    /// The setup of the client, the server or the proxy. Every attempt fails until it changes.
    case setup
  }

  package var fault: Fault {
    switch self {
    case .configuration, .proxyConfiguration:
      .caller
    case .nameNotResolved, .refused, .unreachable, .timedOut, .proxyTimedOut, .proxyUnreachable:
      .network
    case .closed, .closedUnanswered, .tlsAlert:
      .peer
    // With a 5xx status the proxy reports that it cannot reach the server now, except 501 (no CONNECT)
    // and 505 (no HTTP/1.1).
    case .proxyRefused(let status):
      status < 500 || [501, 505].contains(status) ? .setup : .peer
    case .tlsPeer, .plaintextPeer, .http1Peer, .notHTTP2, .protocolViolation, .noALPN, .noCommonTLS,
      .tlsFailed, .untrustedCertificate, .expiredCertificate, .notYetValidCertificate,
      .revokedCertificate, .hostnameMismatch,
      .clientCertificateRefused, .proxyAuthenticationRequired, .plaintextProxy,
      .untrustedProxyCertificate, .proxyFailed:
      .setup
    }
  }
}

extension ConnectionFailure {
  /// Whether another attempt may succeed without any change of setup. For example, false for a
  /// wrong certificate, or for TLS with a server that uses plaintext.
  public var isTransient: Bool {
    switch reason.fault {
    case .network, .peer: true
    case .caller, .setup: false
    }
  }

  package func redacted(_ credentials: [Credential]) -> ConnectionFailure {
    var failure = self
    failure.detail = credentials.redacted(detail)
    return failure
  }
}

extension ConnectionFailure: CustomStringConvertible {
  /// The peer and the cause, on one line.
  public var description: String { "\(peer): \(detail)" }
}
