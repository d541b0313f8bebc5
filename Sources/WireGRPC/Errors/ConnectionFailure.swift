/// Why no connection to the server could be made, or why one was lost before it was ready.
public struct ConnectionFailure: Error, Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// The name has no address, or the name server could not be asked.
    case nameNotResolved
    /// No process listens on the port, or on the unix socket, whose path may not exist.
    case refused
    /// There is no way to the host.
    case unreachable
    /// The host, or the server on it, did not answer in time.
    case timedOut
    /// We speak plaintext, the peer answered with TLS.
    case tlsPeer
    /// We speak plaintext, the peer closed without a byte: what many TLS servers do.
    case closedUnanswered
    /// We speak TLS, the peer speaks HTTP/2 without it.
    case plaintextPeer
    /// The peer answers with HTTP/1 or with an HTML page, not with HTTP/2.
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
    /// The peer offers no TLS version or no cipher suite that the client accepts.
    case noCommonTLS
    /// TLS failed for another reason, such as a record that is not valid.
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
  /// The file or text of the configuration that cannot be used, if that is why: an error of the
  /// module that reads it, such as WireTLS.
  package var inputFault: InputFault?

  public init(reason: Reason, peer: String, detail: String) {
    self.reason = reason
    self.peer = peer
    self.detail = detail
  }
}

extension ConnectionFailure {
  /// An error about an input, of any module. All are equal: `detail` says how they differ.
  ///
  /// Boxed: every `CallError` has room for a connection failure, and few have a fault.
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
  /// Whose fault a failure is, and so whether another attempt or another address can help.
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
    case .configuration:
      .caller
    case .nameNotResolved, .refused, .unreachable, .timedOut, .proxyUnreachable:
      .network
    case .closed, .closedUnanswered, .tlsAlert:
      .peer
    // With 5xx the proxy reports that it cannot reach the server, or not now.
    case .proxyRefused(let status):
      status < 500 ? .setup : .peer
    case .tlsPeer, .plaintextPeer, .http1Peer, .notHTTP2, .noALPN, .noCommonTLS, .tlsFailed,
      .untrustedCertificate, .expiredCertificate, .revokedCertificate, .hostnameMismatch,
      .clientCertificateRefused, .proxyWantsCredentials, .proxyFailed:
      .setup
    }
  }
}

extension ConnectionFailure {
  /// Whether another attempt may succeed without any change of setup.
  package var mayPass: Bool {
    switch reason.fault {
    case .network, .peer: true
    case .caller, .setup: false
    }
  }
}

extension ConnectionFailure {
  /// With asterisks where it repeats these.
  package func redacted(_ credentials: [Credential]) -> ConnectionFailure {
    var failure = self
    failure.detail = credentials.redacted(detail)
    return failure
  }
}

extension ConnectionFailure: CustomStringConvertible {
  public var description: String { "\(peer): \(detail)" }
}
