/// The parts of a request that decide the response.
struct Request {
  enum Method { case get, head, post, other }

  var method = Method.get
  /// Percent-encoded, without the query.
  var path = "/"
  /// Whether the request line has a host, as for a proxy.
  var isAbsolute = false
  var host: String?
  /// Whether a header that decides has several values.
  var isAmbiguous = false
  var origin: String?
  /// The value of Sec-Fetch-Site (W3C Fetch Metadata).
  var fetchSite: String?
  var contentType: String?
}

/// The response to a request.
enum Route: Equatable {
  /// The file at that position.
  case file(Int)
  /// The stream of updates.
  case events
  /// The receipt of a tap.
  case tap
  case refusal(Refusal)
}

/// A status and its reason.
enum Refusal: Int32 {
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case unsupportedMediaType = 415
  case misdirected = 421
  case unavailable = 503

  var reason: String {
    switch self {
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .misdirected: "Misdirected Request"
    case .unavailable: "Service Unavailable"
    }
  }

  /// One line for people.
  var explanation: String {
    switch self {
    case .badRequest: "The request has more than one Host, Origin or Sec-Fetch-Site header."
    case .forbidden: "Pages of other sites may not read the trips or send events to this page."
    case .notFound: "There is nothing here. Open the URL that the program printed."
    case .methodNotAllowed: "Only GET and HEAD are allowed."
    case .unsupportedMediaType: "Only application/json is allowed."
    case .misdirected: "This host name is not allowed. Open the URL that the program printed."
    case .unavailable: "Too many pages are open. Close some and reload this one."
    }
  }
}

/// Finds the response to a request.
struct Router: Sendable {
  let policy: RequestPolicy
  private let port: UInt16

  init(_ policy: RequestPolicy, port: UInt16) {
    self.policy = policy
    self.port = port
  }

  /// - Parameter files: the paths of the files.
  func route(_ request: Request, files: [String]) -> Route {
    // RFC 9112 §3.2.
    guard !request.isAmbiguous else { return .refusal(.badRequest) }
    guard !request.isAbsolute, let host = request.host, policy.allows(host: host, port: port)
    else { return .refusal(.misdirected) }
    guard let path = relativePath(request.path) else { return .refusal(.notFound) }
    if path == "tap", request.method == .post, policy.acceptsTaps {
      return tap(request, host: host)
    }
    let isEvents = path == "events"
    let file = files.firstIndex(of: path)
    guard isEvents || file != nil else { return .refusal(.notFound) }
    guard request.method == .get || request.method == .head else {
      return .refusal(.methodNotAllowed)
    }
    if let file { return .file(file) }
    return isOwnPage(request, host: host) ? .events : .refusal(.forbidden)
  }

  /// Browsers send an origin with every POST request, and ask the server before they send JSON to
  /// another site.
  private func tap(_ request: Request, host: String) -> Route {
    guard request.origin != nil, isOwnPage(request, host: host) else {
      return .refusal(.forbidden)
    }
    guard request.contentType?.lowercased() == "application/json" else {
      return .refusal(.unsupportedMediaType)
    }
    return .tap
  }

  /// Returns the path below the root, or nil if the key is missing or wrong.
  private func relativePath(_ path: String) -> String? {
    guard path.hasPrefix("/") else { return nil }
    let path = path.dropFirst()
    guard let key = policy.key else { return String(path) }
    guard let end = path.firstIndex(of: "/"), isEqual(path[..<end], to: key) else { return nil }
    return String(path[path.index(after: end)...])
  }

  /// Compares in a time that does not depend on the number of equal bytes.
  private func isEqual(_ given: Substring, to key: String) -> Bool {
    let (given, key) = (Array(given.utf8), Array(key.utf8))
    var difference = UInt8(given.count == key.count ? 0 : 1)
    for (index, byte) in key.enumerated() {
      difference |= byte ^ (index < given.count ? given[index] : 0)
    }
    return difference == 0
  }

  private func isOwnPage(_ request: Request, host: String) -> Bool {
    if let origin = request.origin, origin.lowercased() != "http://\(host.lowercased())" {
      return false
    }
    return request.fetchSite.map { $0 == "same-origin" || $0 == "none" } ?? true
  }
}
