import WireGRPC
import WireHTTP2
import WireIO
import WireSystem
import WireTLS
import WireTransport

// Connection failures from the errors of the layers below.

extension ConnectionFailure {
  /// - Parameters:
  ///   - proxy: if set, the proxy's name was resolved.
  ///   - limit: the time after which the resolution was canceled.
  init(resolving error: ResolverError, at peer: String, _ proxy: Proxy?, limit: Duration) {
    if error.kind == .canceled {
      self.init(
        timedOutAt: peer, proxy, "the name \(error.host) was not resolved within \(limit)")
      return
    }
    let name = proxy == nil ? "the name \(error.host)" : "the proxy's name \(error.host)"
    self.init(
      reason: proxy == nil ? .nameNotResolved : .proxyUnreachable, peer: peer,
      detail: "\(name) cannot be resolved: \(error.reason)")
  }

  /// - Parameter proxy: if set, the proxy was dialed.
  init(connecting error: IOError, at peer: String, _ proxy: Proxy?) {
    let reason: Reason =
      switch error.code {
      case .connectionRefused, .noSuchFile: .refused
      case .timedOut: .timedOut
      case .networkUnreachable, .hostUnreachable, .accessDenied: .unreachable
      default: .closed
      }
    let detail =
      switch error.code {
      case .connectionRefused: "connection refused"
      case .noSuchFile: "the unix socket does not exist"
      default: "cannot connect: \(error.code)"
      }
    self.init(
      reason: proxy == nil ? reason : .proxyUnreachable, peer: peer,
      detail: proxy == nil ? detail : "the proxy cannot be reached: \(detail)")
  }

  init(handshaking error: TLSError, at peer: String) {
    let reason: Reason =
      switch error.kind {
      case .peerIsNotTLS(.http1), .peerIsNotTLS(.html): .http1Peer
      case .peerIsNotTLS(.http2): .plaintextPeer
      case .peerIsNotTLS: .notHTTP2
      case .untrustedCertificate(let reason): .untrustedCertificate(reason)
      case .expiredCertificate: .expiredCertificate
      case .notYetValidCertificate: .notYetValidCertificate
      case .revokedCertificate: .revokedCertificate
      case .clientCertificateRequired, .clientCertificateRefused: .clientCertificateRefused
      case .hostnameMismatch(let expected, let names):
        .hostnameMismatch(expected: expected, names: names)
      case .noALPN: .noALPN
      case .alert(let name): .tlsAlert(name)
      case .closedDuringHandshake, .truncated: .closed
      case .unsupportedVersion, .noCommonCipher: .noCommonTLS
      case .protocolViolation, .flood: .tlsFailed
      case .local: .configuration
      }
    self.init(reason: reason, peer: peer, detail: error.description)
  }

  /// Creates the failure of an HTTP/2 session that ended before the peer's SETTINGS arrived.
  init(settling error: HTTP2Error, at peer: String) {
    let (reason, detail): (Reason, String) =
      switch error.kind {
      case .notHTTP2(.http1), .notHTTP2(.html):
        (.http1Peer, error.detail)
      case .notHTTP2(.tls):
        (.tlsPeer, "the server uses TLS, but this connection is plaintext")
      case .notHTTP2(.unknown):
        (.notHTTP2, error.detail)
      case .protocolViolation:
        (.protocolViolation, "the server violated HTTP/2: \(error)")
      default:
        (.notHTTP2, "HTTP/2 failed before the connection was ready: \(error)")
      }
    self.init(reason: reason, peer: peer, detail: detail)
  }

  /// Creates the failure of a byte stream that ended before the connection was ready.
  init(
    ended end: StreamEnd, in phase: ConnectionStateMachine.Phase, at peer: String,
    _ proxy: Proxy?, usesTLS: Bool, hasReceivedBytes: Bool
  ) {
    switch (end, phase) {
    case (.proxyFailed(let error), _):
      self = ConnectionFailure(tunneling: error, at: peer).redacted(proxy?.credentials ?? [])
    case (.tlsFailed(let error), _):
      self.init(handshaking: error, at: peer)
    case (.failed(let error), .connecting):
      self.init(connecting: error, at: peer, proxy)
    case _ where !usesTLS && !hasReceivedBytes:
      self.init(
        reason: .closedUnanswered, peer: peer,
        detail: "the server closed the connection without a response; "
          + "TLS servers often do this to plaintext clients")
    default:
      self.init(
        reason: .closed, peer: peer,
        detail: "the server closed the connection before it was ready: \(end.description)")
    }
  }

  /// - Parameter proxy: if set, the connection goes through it.
  init(timedOutAt peer: String, _ proxy: Proxy?, _ detail: String) {
    self.init(reason: proxy == nil ? .timedOut : .proxyTimedOut, peer: peer, detail: detail)
  }

  init(
    timedOutIn phase: ConnectionStateMachine.Phase, at peer: String, _ proxy: Proxy?,
    limit: Duration, hasReceivedBytes: Bool
  ) {
    let what =
      switch phase {
      case .connecting: "the \(proxy == nil ? "host" : "proxy") did not respond"
      case .tunneling where proxy?.usesTLS == true:
        "the proxy did not finish the TLS handshake, or did not connect to the server"
      case .tunneling: "the proxy did not connect to the server"
      case .securing: "the server did not finish the TLS handshake"
      default:
        hasReceivedBytes
          ? "the server sent data, but no HTTP/2 SETTINGS"
          : "the server accepted the connection, but sent no HTTP/2 SETTINGS"
      }
    self.init(timedOutAt: peer, proxy, "\(what) within \(limit)")
  }
}

extension ConnectionStateMachine.Phase {
  /// Describes what a peer has not done yet in this phase.
  func pendingStep(of address: SocketAddress, _ proxy: Proxy?) -> String {
    switch self {
    case .connecting: "\(address) did not respond"
    case .tunneling where proxy?.usesTLS == true:
      "the proxy \(address) did not finish the TLS handshake, or did not connect to the server"
    case .tunneling: "the proxy \(address) did not connect to the server"
    case .securing: "\(address) did not finish the TLS handshake"
    default: "\(address) sent no HTTP/2 SETTINGS"
    }
  }
}

extension CallError {
  /// Creates the error of calls whose connection ends because of its HTTP/2 session.
  init(lostBy error: HTTP2Error) {
    let isViolation = error.kind == .protocolViolation
    let problem = isViolation ? "the server violated HTTP/2" : "the connection failed"
    self = .transport(
      .unavailable, "\(problem): \(error)", cause: isViolation ? .connectionViolation : nil)
  }

  /// Creates the error of calls whose connection ends because its byte stream did.
  init(lostBy end: StreamEnd, at peer: String) {
    self = .transport(.unavailable, "the connection was lost: \(end.description)")
    // In TLS 1.3 a server may reject the client's certificate after its first HTTP/2 bytes.
    guard case .tlsFailed(let cause) = end else { return }
    switch cause.kind {
    case .clientCertificateRequired, .clientCertificateRefused:
      connectionFailure = ConnectionFailure(handshaking: cause, at: peer)
    default: break
    }
  }
}
