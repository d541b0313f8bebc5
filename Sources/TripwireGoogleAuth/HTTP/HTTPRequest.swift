import WireGRPC
import WireTransport

/// A request to a token endpoint.
struct HTTPRequest: Sendable {
  var url: String
  /// Nil for GET, otherwise the body of a POST.
  var body: String?
  var headers: [(name: String, value: String)] = []
  /// The longest time until the whole response is here.
  var timeout = Duration.seconds(10)
  /// The fields of the body that are credentials.
  private var secrets: [String] = []
  /// Whether the server is on this network, so that no proxy is between.
  var isDirect = false

  init(_ url: String) {
    self.url = url
  }

  /// A POST of a form (RFC 6749 appendix B), without the fields that have no value.
  init(_ url: String, form: [(name: String, value: String?)]) {
    self.url = url
    body = form.compactMap { field in
      field.value.map { "\(Self.encoded(field.name))=\(Self.encoded($0))" }
    }.joined(separator: "&")
    headers = [("content-type", "application/x-www-form-urlencoded")]
    secrets = form.compactMap { Self.secretFields.contains($0.name) ? $0.value : nil }
  }

  private static let secretFields = [
    "client_secret", "refresh_token", "assertion", "subject_token",
  ]

  /// The credentials in the request, which the server may echo.
  var credentials: [Credential] {
    var metadata = Metadata()
    for header in headers where header.name == "authorization" {
      metadata.append(unchecked: header.name, .text(header.value))
    }
    for secret in secrets { metadata.append(unchecked: "authorization", .text(secret)) }
    return metadata.credentials
  }

  /// A POST of JSON.
  init(_ url: String, json: String) {
    self.url = url
    body = json
    headers = [("content-type", "application/json")]
  }

  /// Adds a client's ID and password (RFC 6749 section 2.3.1).
  mutating func authenticate(_ id: String, _ secret: String) {
    let value = Base64.encode(Array("\(id):\(secret)".utf8), padded: true)
    headers.append(("authorization", "Basic " + value))
  }

  /// The URL without its query and a user name, for messages.
  var shownURL: String {
    let scheme = url.prefix { $0 != ":" }
    let start = url.dropFirst(scheme.count)
    guard start.hasPrefix("://") else { return String(url.prefix { $0 != "?" && $0 != "#" }) }
    let rest = start.dropFirst(3)
    let authority = rest.prefix { !"/?#".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    let path = rest.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" }
    return "\(scheme)://\(host ?? authority)\(path)"
  }

  func isURL(_ scheme: String) -> Bool { url.lowercased().hasPrefix(scheme) }

  /// The host and the port; nil if the URL has none.
  var place: HostAndPort? {
    let authority = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
    return authority.contains("@") ? nil : try? HostAndPort(authority)
  }

  /// Whether the server is on this machine, so that nobody can read what is sent to it.
  var isOnThisMachine: Bool { place.map { ProxyExceptions.isLoopback($0.host) } ?? false }

  /// Escapes all but the unreserved characters of RFC 3986 section 2.3.
  static func encoded(_ text: String) -> String { text.percentEncoded { $0.isUnreserved } }
}

/// A response in whole.
struct HTTPResponse: Sendable {
  var status: Int
  /// The lines of the headers, as they came.
  var headers: [String] = []
  var body: [UInt8] = []

  /// Returns the value of a header; nil if it is missing.
  ///
  /// - Parameter name: in lower case.
  func header(_ name: String) -> String? {
    for line in headers {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
        continue
      }
      return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return nil
  }
}
