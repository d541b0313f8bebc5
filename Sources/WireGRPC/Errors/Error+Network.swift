import WireSystem

extension Error {
  /// Whether the error is one of Foundation's for a network or a server that fails: a `URLError`, a `POSIXError`, or an
  /// `NSError` with their domains. Every error has a domain and a code without Foundation, too.
  package var isOfTheNetwork: Bool {
    switch _domain {
    case "NSURLErrorDomain":
      // NSURLErrorUnknown, TimedOut to CannotParseResponse, InternationalRoamingOff to DataNotAllowed, the
      // certificates of servers, CannotLoadFromNetwork.
      [-1, -2000].contains(_code) || (-1204 ... -1200).contains(_code)
        || (-1020 ... -1001).contains(_code) && !appErrors.contains(_code)
    case "NSPOSIXErrorDomain":
      networkErrors.contains(Int32(truncatingIfNeeded: _code))
    case "FoundationEssentials.POSIXError":
      // Outside of Apple's systems, the error is bridged only by Foundation.
      posixCode.map(networkErrors.contains) ?? false
    default: false
    }
  }

  private var posixCode: Int32? {
    let code = Mirror(reflecting: self).children.first { $0.label == "code" }?.value
    return (code as? any RawRepresentable)?.rawValue as? Int32
  }
}

/// NSURLErrorUnsupportedURL, UserCancelledAuthentication and UserAuthenticationRequired.
private let appErrors: Set = [-1002, -1012, -1013]

private let networkErrors: Set<Int32> = [
  ECONNABORTED, ECONNREFUSED, ECONNRESET, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETRESET, ENETUNREACH,
  EPIPE,
  ETIMEDOUT,
]
