import WireGRPC
package import WireTLS

/// Why a proxy did not open the way to the server.
package enum ProxyError: Error, Hashable, Sendable {
  /// It answered with another status than 2xx; with its words and the beginning of its page.
  case refused(status: Int, reason: String, body: String)
  /// It wants a user name and a password, or others than it was given: 407, of some proxies 401.
  case wantsCredentials(status: Int, hadSome: Bool, body: String)
  /// What it said is no HTTP/1 answer, or one without end; says what is wrong with it.
  case malformed(String)
  /// It closed the connection before its answer was complete.
  case closed
  /// TLS with the proxy itself failed.
  case tls(TLSError)
}

extension ProxyError: CustomStringConvertible {
  /// What happened, in a sentence.
  package var description: String {
    switch self {
    case .refused(let status, let reason, let body):
      "the proxy refused to connect to the server: HTTP status \(status)"
        + (reason.isEmpty ? "" : " \(reason)") + Self.quoted(body)
    case .wantsCredentials(let status, let hadSome, let body):
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
  /// The proxy did not open the way.
  package init(tunnelling error: ProxyError, at peer: String) {
    let reason: Reason =
      switch error {
      case .refused(let status, _, _): .proxyRefused(status: status)
      case .wantsCredentials: .proxyWantsCredentials
      case .malformed, .closed, .tls: .proxyFailed
      }
    self.init(reason: reason, peer: peer, detail: error.description)
  }
}
