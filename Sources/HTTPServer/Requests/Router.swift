/// The parts of a request that decide the response.
struct Request {
  /// `GET`
  var method = "GET"
  /// Percent-encoded, without the query.
  var path = "/"
  var query = ""
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

enum Route: Equatable {
  /// The file at that position.
  case file(Int)
  /// The stream of updates.
  case events
  /// The response of the handler.
  case handler
  case error(HTTPError)
}

/// A status that is not 200.
struct HTTPError: Equatable {
  let status: Int32
  let reason: String
  /// One line for people.
  let explanation: String

  private init(_ status: Int32, _ reason: String, _ explanation: String) {
    (self.status, self.reason, self.explanation) = (status, reason, explanation)
  }

  static let badRequest = HTTPError(
    400, "Bad Request", "The request has more than one Host, Origin or Sec-Fetch-Site header.")
  static let forbidden = HTTPError(
    403, "Forbidden", "Pages of other sites may not read this page or send events to it.")
  static let notFound = HTTPError(
    404, "Not Found", "There is nothing here. Open the URL that the program printed.")
  static let methodNotAllowed = HTTPError(
    405, "Method Not Allowed", "Only GET and HEAD are allowed.")
  static let contentTooLarge = HTTPError(413, "Content Too Large", "The body is too large.")
  static let unsupportedMediaType = HTTPError(
    415, "Unsupported Media Type", "Only application/json is allowed.")
  static let misdirected = HTTPError(
    421, "Misdirected Request",
    "This host name is not allowed. Open the URL that the program printed.")
  static let busy = HTTPError(
    503, "Service Unavailable", "The requests in memory are too large. Try again.")
  static let unavailable = HTTPError(
    503, "Service Unavailable", "Too many pages are open. Close some and reload this one.")
}

/// Finds the response to a request.
struct Router: Sendable {
  let policy: RequestPolicy
  let port: UInt16

  /// - Parameter files: the paths of the files.
  func route(_ request: Request, files: [String]) -> Route {
    if policy.handled == .everything { return .handler }
    // RFC 9112 §3.2.
    guard !request.isAmbiguous else { return .error(.badRequest) }
    guard !request.isAbsolute, let host = request.host, policy.allows(host: host, port: port)
    else { return .error(.misdirected) }
    guard let path = relativePath(request.path) else { return .error(.notFound) }
    if request.method == "POST", policy.handled == .ownPage(path: path) {
      return ownPagePost(request, host: host)
    }
    let isEvents = path == "events"
    let file = files.firstIndex(of: path)
    guard isEvents || file != nil else { return .error(.notFound) }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .error(.methodNotAllowed)
    }
    if let file { return .file(file) }
    return isOwnPage(request, host: host) ? .events : .error(.forbidden)
  }

  /// Browsers send an origin with every POST request, and ask the server before they send JSON to
  /// another site.
  private func ownPagePost(_ request: Request, host: String) -> Route {
    guard request.origin != nil, isOwnPage(request, host: host) else {
      return .error(.forbidden)
    }
    guard request.contentType?.lowercased() == "application/json" else {
      return .error(.unsupportedMediaType)
    }
    return .handler
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
