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
  /// The certificate of the server is not valid, or its CA is not trusted.
  case untrusted
  /// The file with the CA certificates cannot be used.
  case noTrustFile
  case tooLong
  case canceled
  /// Anything else, in the words of libcurl.
  case other(String)

  /// Whether a later request may succeed without a change.
  var isTemporary: Bool {
    switch self {
    // Another server may answer for a while, such as the login page of a network.
    case .noThread, .timedOut, .hostNotFound, .refused, .untrusted, .canceled, .other: true
    case .noLibrary, .invalidURL, .noTrustFile, .tooLong: false
    }
  }

  /// The action for the user.
  var action: String {
    switch self {
    case .noLibrary: "install it: apt install libcurl4"
    case .untrusted: "trust its CA with SSL_CERT_FILE, or with tripwire's option --cacert FILE"
    case .noTrustFile:
      "name a PEM file with CA certificates in SSL_CERT_FILE, or with tripwire's option --cacert FILE"
    case .invalidURL, .tooLong: "check the URL"
    case .noThread, .timedOut, .hostNotFound, .refused, .canceled, .other:
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
    case .untrusted: "has a certificate that is not trusted"
    case .noTrustFile: "cannot be reached: the file with the CA certificates cannot be read"
    case .tooLong: "sent a response that is too long"
    case .canceled: "was not reached: the request was canceled"
    case .other(let reason): "cannot be reached: \(reason)"
    }
  }
}
