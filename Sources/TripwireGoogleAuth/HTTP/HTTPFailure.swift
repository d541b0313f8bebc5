/// The reason why there is no response.
package enum HTTPFailure: Error, Hashable, Sendable {
  /// libcurl is not installed.
  case noLibrary
  /// The system has no thread left.
  case noThread
  case timedOut
  case hostNotFound
  case refused
  /// The certificate of the server is not valid, or its CA is not trusted.
  case untrusted
  case tooLong
  case canceled
  /// Anything else, in the words of libcurl.
  case other(String)

  /// Whether a later request may succeed without a change.
  var isTemporary: Bool {
    switch self {
    // Another server may answer for a while, such as the login page of a network.
    case .noThread, .timedOut, .hostNotFound, .refused, .untrusted, .canceled, .other: true
    case .noLibrary, .tooLong: false
    }
  }

  /// The action for the user.
  var action: String {
    switch self {
    case .noLibrary: "install it: apt install libcurl4"
    default: "check the URL"
    }
  }
}

extension HTTPFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noLibrary: "cannot be asked: libcurl is not installed"
    case .noThread: "cannot be asked: the system has no thread left"
    case .timedOut: "did not answer in time"
    case .hostNotFound: "cannot be resolved"
    case .refused: "cannot be connected to"
    case .untrusted: "has a certificate that is not trusted (--cacert FILE trusts another CA)"
    case .tooLong: "answered with more than \(HTTPClient.longest / 1024) KiB"
    case .canceled: "was not asked to the end"
    case .other(let reason): "cannot be asked: \(reason)"
    }
  }
}
