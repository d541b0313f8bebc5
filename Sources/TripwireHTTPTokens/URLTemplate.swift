import Foundation
import Tripwire
import WireGRPC

/// A URL with placeholders for the resource of a token.
struct URLTemplate: Sendable {
  private enum Part: Sendable {
    case text(String)
    case tripID
    case vehicleID
    case resourceName
  }

  private let parts: [Part]
  /// The part before the query, which errors may contain.
  let place: String

  /// Whether it has no placeholder.
  var isFixed: Bool { parts.allSatisfy { if case .text = $0 { true } else { false } } }

  init(_ template: String) throws(HTTPTokenError) {
    place = String(template.prefix { $0 != "?" && $0 != "#" })
    func bad(_ reason: String) -> HTTPTokenError {
      HTTPTokenError(description: "the URL of the token endpoint \(reason)")
    }
    var parts: [Part] = []
    var rest = Substring(template)
    while let start = rest.firstIndex(of: "{") {
      parts.append(.text(String(rest[..<start])))
      guard let end = rest[start...].firstIndex(of: "}") else { throw bad("has a { without a }") }
      let name = rest[rest.index(after: start)..<end]
      switch name {
      case "tripID": parts.append(.tripID)
      case "vehicleID": parts.append(.vehicleID)
      case "resourceName": parts.append(.resourceName)
      default:
        throw bad(
          "has the unknown placeholder {\(name)}; expected {tripID}, {vehicleID} or {resourceName}")
      }
      rest = rest[rest.index(after: end)...]
    }
    parts.append(.text(String(rest)))
    self.parts = parts
    guard case .text(let beginning)? = parts.first, let url = URLComponents(string: beginning),
      let host = url.host, !host.isEmpty
    else { throw bad("has no host before the placeholder") }
    guard url.user == nil, url.password == nil else {
      throw bad("contains a user name or a password: send them in a header")
    }
    // Placeholders are allowed in the path and the query, and not in the host.
    guard isFixed || beginning.dropFirst(8).contains(where: { "/?".contains($0) }) else {
      throw bad("has a placeholder in its host")
    }
    switch url.scheme?.lowercased() {
    case "https": break
    case "http" where Self.isLoopback(host): break
    case "http": throw bad("uses http://, which exposes the token; use https://")
    default: throw bad("does not begin with https://")
    }
    guard fill(AuthorizationContext(resourceName: "x", tripID: "x", vehicleID: "x")) != nil else {
      throw bad("is malformed")
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    return isIPv4 || host.lowercased() == "localhost" || host == "::1" || host == "[::1]"
  }

  /// - Throws: ``HTTPTokenError`` if the call has no resource for a placeholder.
  func url(for context: AuthorizationContext) throws(HTTPTokenError) -> TokenURL {
    guard let url = fill(context) else {
      throw HTTPTokenError(
        description:
          "the URL of the token endpoint \(place) has a placeholder for which \(context.resourceName) has no ID"
      )
    }
    return TokenURL(url: url, place: place)
  }

  private func fill(_ context: AuthorizationContext) -> URL? {
    var text = ""
    for part in parts {
      let value: String? =
        switch part {
        case .text(let text): text
        case .tripID: context.tripID.flatMap(Self.encoded)
        case .vehicleID: context.vehicleID.flatMap(Self.encoded)
        case .resourceName: Self.encoded(context.resourceName)
        }
      guard let value else { return nil }
      text += value
    }
    return URL(string: text)
  }

  /// Escapes all but the unreserved characters of RFC 3986. Returns nil for an empty value, and for one that
  /// would name another folder.
  private static func encoded(_ id: String) -> String? {
    if ["", ".", ".."].contains(id) { return nil }
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return id.addingPercentEncoding(withAllowedCharacters: unreserved)
  }
}

/// The URL of one token.
struct TokenURL: Sendable {
  let url: URL
  /// The part that may be shown.
  let place: String

  func failure(_ code: StatusCode, _ reason: String) -> CallError {
    CallError(code: code, message: "the token endpoint \(place) \(reason)", origin: .local)
  }

  func error(_ reason: String) -> HTTPTokenError {
    HTTPTokenError(description: "the token endpoint \(place) \(reason)")
  }
}
