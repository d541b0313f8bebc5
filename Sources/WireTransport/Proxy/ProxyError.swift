import WireGRPC
package import WireTLS

/// The reason why a proxy did not open a tunnel to the server.
package enum ProxyError: Error, Hashable, Sendable {
  /// The response has another status than 2xx; with its reason phrase and the start of its page.
  case refused(status: Int, reason: String, body: String)
  /// The proxy requires a user name and a password, or rejected them: 407, for some proxies 401.
  case authenticationRequired(status: Int, hadSome: Bool, body: String)
  /// The response is not HTTP/1, or has no end; with the reason.
  case malformed(String)
  /// The proxy closed the connection before its response was complete.
  case closed
  /// TLS with the proxy itself failed.
  case tls(TLSError)
}

extension ProxyError: CustomStringConvertible {
  /// The error in one sentence.
  package var description: String {
    switch self {
    case .refused(let status, let reason, let body):
      "the proxy refused to connect to the server: HTTP status \(status)"
        + (reason.isEmpty ? "" : " \(reason)") + Self.quoted(body)
    case .authenticationRequired(let status, let hadSome, let body):
      (hadSome
        ? "the proxy rejected the user name and password"
        : "the proxy requires a user name and password") + " (HTTP status \(status))"
        + Self.quoted(body)
    case .malformed(let problem):
      "the proxy sent an invalid response to CONNECT: \(problem)"
    case .closed:
      "the proxy closed the connection before it responded to CONNECT"
    case .tls(let error):
      "TLS with the proxy failed: \(error)"
    }
  }

  private static func quoted(_ body: String) -> String { body.isEmpty ? "" : ": \"\(body)\"" }
}

extension ConnectionFailure {
  /// The proxy did not open the tunnel.
  package init(tunneling error: ProxyError, at peer: String) {
    let reason: Reason =
      switch error {
      case .refused(let status, _, _): .proxyRefused(status: status)
      case .authenticationRequired: .proxyAuthenticationRequired
      case .tls(let error):
        switch error.kind {
        case .peerIsNotTLS: .plaintextProxy
        case .untrustedCertificate: .untrustedProxyCertificate
        default: .proxyFailed
        }
      case .malformed, .closed: .proxyFailed
      }
    self.init(reason: reason, peer: peer, detail: error.description)
  }
}
