/// Metadata that is invalid and was not sent.
public struct MetadataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name in lower case; the first one if several entries are invalid.
  public var name: String
  /// The problem of each invalid entry and its position: "the character U+00E9 at offset 3 of the
  /// name is not …".
  public var description: String
  /// The problem of the first one, without its name.
  package var reason: String
}

/// The names and values that a client may send (gRPC PROTOCOL-HTTP2: Header-Name, ASCII-Value).
package enum MetadataRules {
  /// Names that the transport sets, or that HTTP/2 forbids.
  private static let reserved = [
    "te", "content-type", "content-length", "user-agent", "host", "connection", "keep-alive",
    "proxy-connection", "transfer-encoding", "upgrade",
  ]

  static func isSecret(_ name: String) -> Bool {
    switch name {
    case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-api-key": true
    default: false
    }
  }

  /// Returns whether the values of a name may be credentials: the names above, and names of the
  /// kind that gateways use, such as "x-api-key" or "x-auth-token", but not "x-author". Too slow
  /// for every call.
  package static func mayBeSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return isSecret(name)
      || partsOfSecrets.contains { name.mentions($0) }
      || name.split { "-_.".contains($0) }.contains { wordsOfSecrets.contains($0) }
  }

  private static let partsOfSecrets = [
    "authorization", "token", "secret", "passw", "passphrase", "credential", "api-key", "apikey",
    "private-key", "access-key",
  ]

  private static let wordsOfSecrets: Set<Substring> = [
    "assertion", "auth", "authz", "cookie", "csrf", "jwt", "oauth", "oauth2", "pwd", "session",
    "sessionid", "sid", "signature", "xsrf",
  ]

  /// Returns whether text is a credential under any name: a JSON web token, a Google OAuth access
  /// token, or a value of `authorization`.
  package static func isCredential(_ text: String) -> Bool {
    switch text.utf8.first.map({ $0 | 0x20 }) {
    case UInt8(ascii: "y"):
      return text.hasPrefix("ya29.")
    case UInt8(ascii: "e"):
      return text.hasPrefix("eyJ") && text.utf8.count { $0 == UInt8(ascii: ".") } == 2
    case UInt8(ascii: "b"):
      return ["bearer ", "basic "].contains(where: text.prefix(7).lowercased().hasPrefix)
    case UInt8(ascii: "d"), UInt8(ascii: "j"), UInt8(ascii: "t"):
      guard let end = text.firstIndex(of: " ") else { return false }
      return ["dpop", "jwt", "token"].contains(text[..<end].lowercased())
        && isCredential(String(text[end...].drop { $0 == " " }))
    default:
      return false
    }
  }

  /// Returns whether a name is the application's, neither HTTP's nor gRPC's (gRFC A16).
  static func isApplications(_ name: String) -> Bool {
    name == "grpc-trace-bin"
      || !name.hasPrefix("grpc-") && !name.hasPrefix(":") && !reserved.contains(name)
        && name != "content-encoding" && name != "lb-token"
  }

  /// Returns the value for traces, logs and debuggers, or `<redacted>` for credentials.
  package static func shown(
    _ value: @autoclosure () -> String, of name: String, isSensitive: Bool = false
  ) -> String {
    let redacted = "<redacted>"
    if isSensitive || mayBeSecret(name) { return redacted }
    let value = value()
    if isCredential(value) { return redacted }
    return name == "location" ? withoutCredentials(location: value) : value
  }

  /// Returns a location without what may be a credential in it: text before an "@", the query and the
  /// fragment. "https://anna:hush@h/x?token=hush" becomes "https://…@h/x?…".
  static func withoutCredentials(location: String) -> String {
    let path = location.unicodeScalars.prefix { $0 != "?" && $0 != "#" }
    var shown = "".unicodeScalars
    var part = shown.startIndex
    for scalar in path {
      if scalar == "@" { shown.replaceSubrange(part..., with: "…".unicodeScalars) }
      shown.append(scalar)
      // Browsers take a backslash as a slash.
      if scalar == "/" || scalar == "\\" { part = shown.endIndex }
    }
    if path.endIndex < location.endIndex {
      shown.append(location.unicodeScalars[path.endIndex])
      shown.append("…")
    }
    return String(shown)
  }

  /// Validates entries.
  ///
  /// - Throws: one error that names all invalid entries.
  static func check(_ entries: [Metadata.Entry]) throws(MetadataError) {
    var errors: [MetadataError] = []
    for entry in entries {
      do throws(MetadataError) {
        try check(entry)
      } catch {
        errors.append(error)
      }
    }
    guard let first = errors.first else { return }
    throw MetadataError(
      name: first.name, description: errors.map(\.description).joined(separator: "; "),
      reason: first.reason)
  }

  static func check(_ entry: Metadata.Entry) throws(MetadataError) {
    let name = entry.name
    func error(_ text: String) -> MetadataError {
      MetadataError(name: name, description: "metadata \"\(name)\": \(text)", reason: text)
    }

    guard !name.isEmpty else { throw error("the name is empty") }
    if !isName(name) {
      for (offset, scalar) in name.unicodeScalars.enumerated() where !isName(String(scalar)) {
        throw error(
          "\(describe(scalar)) at offset \(offset) of the name is not one of a-z 0-9 _ - .")
      }
    }
    if reserved.contains(where: { $0.utf8.count == name.utf8.count && $0 == name }) {
      throw error("this name is reserved for the transport")
    }
    guard !name.hasPrefix("grpc-") || name == "grpc-trace-bin" else {
      throw error("names that start with \"grpc-\" are reserved for gRPC")
    }

    switch entry.value {
    case .binary:
      guard name.hasSuffix("-bin") else {
        throw error("binary values require a name that ends in \"-bin\"")
      }
    case .text(let text):
      guard !name.hasSuffix("-bin") else {
        throw error("a name that ends in \"-bin\" requires a binary value, not text")
      }
      // The usual case. The slow path only finds the position.
      if text.hasOnly(octets: 0x20...0x7E) { return }
      for (offset, scalar) in text.unicodeScalars.enumerated()
      where !(0x20...0x7E).contains(scalar.value) {
        throw error(
          "\(describe(scalar)) at offset \(offset) of the value is not printable ASCII; "
            + "send it as bytes under a \"-bin\" name")
      }
    }
  }

  private static func isName(_ text: String) -> Bool {
    let octets = text.utf8Span.span
    for index in octets.indices {
      switch octets[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        continue
      default:
        return false
      }
    }
    return true
  }

  private static func describe(_ scalar: Unicode.Scalar) -> String {
    if (0x21...0x7E).contains(scalar.value) { return "\"\(scalar)\"" }
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return "the character U+" + String(repeating: "0", count: max(0, 4 - hex.utf8.count)) + hex
  }
}
