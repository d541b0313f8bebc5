/// The reason why there is no response.
enum HTTPFailure: Error, Hashable, Sendable {
  /// libcurl is not installed.
  case noLibrary
  /// The system has no thread left.
  case noThread
  case invalidURL
  case timedOut
  case hostNotFound
  case refused
  /// The proxy did not connect to the server.
  case refusedByProxy(status: Int)
  /// The URL of the proxy is not valid, for this reason.
  case invalidProxy(String)
  /// The certificate of the server is not valid, or its CA is not trusted.
  case untrusted
  /// The CA certificates cannot be used.
  case noRoots
  case tooLong
  case canceled
  /// Anything else, in the words of libcurl.
  case other(String)

  /// Whether a later request may succeed without a change.
  var isTemporary: Bool {
    switch self {
    // Another server may answer for a while, such as the login page of a network.
    case .noThread, .timedOut, .hostNotFound, .refused, .refusedByProxy, .untrusted, .canceled,
      .other:
      true
    case .noLibrary, .invalidURL, .invalidProxy, .noRoots, .tooLong: false
    }
  }

  /// Whether no server was asked, because of something on this machine that does not change by itself.
  var isLocal: Bool {
    switch self {
    case .noLibrary, .invalidURL, .invalidProxy, .noRoots: true
    case .noThread, .timedOut, .hostNotFound, .refused, .refusedByProxy, .untrusted, .canceled,
      .other, .tooLong:
      false
    }
  }

  /// The action for the user.
  var action: String {
    switch self {
    case .noLibrary: "install it: apt install libcurl4"
    case .untrusted: "trust its CA with SSL_CERT_FILE, --cacert FILE or AccessTokens.trust"
    case .noRoots:
      "name a PEM file with CA certificates in SSL_CERT_FILE, --cacert FILE or AccessTokens.trust"
    case .invalidURL, .tooLong: "check the URL"
    case .invalidProxy: "check the URL of the proxy"
    case .noThread, .timedOut, .hostNotFound, .refused, .refusedByProxy, .canceled, .other:
      "check the network, the proxy and the URL"
    }
  }
}

extension HTTPFailure: CustomStringConvertible {
  var description: String {
    switch self {
    case .noLibrary: "cannot be reached: libcurl is not installed"
    case .noThread: "cannot be reached: the system cannot create a thread"
    case .invalidURL: "is not the URL of an HTTP server"
    case .timedOut: "did not respond in time"
    case .hostNotFound: "cannot be resolved"
    case .refused: "cannot be connected to"
    case .refusedByProxy(let status):
      "cannot be reached: the proxy answered with status \(status)"
    case .invalidProxy(let reason): "cannot be reached: \(reason)"
    case .untrusted: "has a certificate that is not trusted"
    case .noRoots: "cannot be reached: the CA certificates cannot be read"
    case .tooLong: "sent a response that is too long"
    case .canceled: "was not reached: the request was canceled"
    case .other(let reason): "cannot be reached: \(reason)"
    }
  }
}
