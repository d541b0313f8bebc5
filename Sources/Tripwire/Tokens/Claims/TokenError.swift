import WireGRPC

/// The reason why no token is available. Never contains the token or a part of it.
public enum TokenError: Error, Hashable, Sendable {
  /// The file cannot be read, or it does not contain a valid token.
  case unreadable(path: String, reason: String)
  /// The token is empty.
  case empty
  /// The token is longer than 64 KiB.
  case tooLong
  /// The token starts with "Bearer ", which belongs to the header.
  case scheme
  /// The token is quoted, in JSON, or otherwise wrapped. `reason` states the problem and how to fix
  /// it.
  case malformed(reason: String)
  /// The token has an invalid character, such as a space or a line end, at this offset in bytes.
  case illegalCharacter(offset: Int)
  /// The provider returned neither a token nor an error.
  case none
  /// The service account key is invalid; `origin` is its file.
  case badKey(origin: String, reason: String)
  /// The Google Cloud credentials are not a service account key and cannot sign; `type` is their
  /// type, such as `authorized_user`.
  case cannotSign(origin: String, type: String)
  /// Fleet Engine would reject the claim.
  case badClaim(name: String, reason: String)
  /// The token command failed; `program` is empty for a shell command.
  case commandFailed(program: String, reason: String)
  /// The server refused the token, and no other is available yet. After `retryAfter`, a call asks
  /// the source for another, unless `isOnly`, and sends the token again if there is none. If
  /// `retryAfter` is nil, every call looks for another token.
  case refused(reason: String, retryAfter: Duration?, isOnly: Bool)
  /// The JSON response does not contain a valid token or expiration.
  case invalidResponse(reason: String)
}

extension TokenError: CustomStringConvertible {
  /// The failure and its reason, without the token.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read the token from \(Self.shown(path)): \(reason)"
    case .empty: "the token is empty"
    case .tooLong: "the token is longer than 64 KiB"
    case .scheme: "the token starts with \"Bearer \": \(Remedy.scheme.rawValue)"
    case .malformed(let reason): "the token \(reason)"
    case .illegalCharacter(let offset):
      "the token has an invalid character at byte offset \(offset):"
        + " expected one line of printable ASCII without spaces"
    case .none: "the token provider returned neither a token nor an error"
    case .badKey(let origin, let reason): "\(Self.shown(origin)): \(reason)"
    case .cannotSign(let origin, let type):
      "\(Self.shown(origin)): credentials of type \(type) cannot sign tokens"
    case .badClaim(let name, let reason): "the claim \(name) \(reason)"
    case .commandFailed("", let reason): "the token command \(reason)"
    case .commandFailed(let program, let reason): "the token command \(program) \(reason)"
    case .refused(let reason, _, _): reason
    case .invalidResponse(let reason): "the token response is invalid: \(reason)"
    }
  }
}

extension TokenError {
  static let longest = 64 * 1024

  /// Checks that a token may follow "Bearer " in a header: visible ASCII up to 64 KiB. RFC 6750
  /// section 2.1 is stricter; the server decides.
  package static func check(_ token: String) throws(TokenError) {
    if token.isEmpty { throw .empty }
    if token.utf8.count > longest { throw .tooLong }
    if let reason = wrapping(of: token) { throw .malformed(reason: reason) }
    // The fast path. The slow path below only finds the offset.
    if token.hasOnly(octets: 0x21...0x7e) { return }
    if token.lowercased().hasPrefix("bearer ") { throw .scheme }
    if let offset = token.utf8.enumerated().first(where: { !(0x21...0x7e).contains($0.element) }) {
      throw .illegalCharacter(offset: offset.offset)
    }
  }
}

extension TokenError {
  /// The reason for empty standard input.
  package static let noInput = "no input"

  /// An action for the user, which is at the end of the description.
  package enum Remedy: String, CaseIterable {
    case scheme = "remove \"Bearer \""
    case quotes = "remove the quotes, for example with jq -r"
    case json = "extract the token, for example with jq -r .token"
    case header = "remove everything before the token"
    case byteOrderMark = "save it without a byte order mark"
    case utf16 = "save it as ASCII, in PowerShell with Set-Content -Encoding ascii"
    case wholeKey = "copy the whole file"
    case jsonKey = "use the JSON file from Google Cloud"
    case newKey = "create a new JSON key of the service account"
    case unchangedKey = "use the unchanged JSON file from Google Cloud"
  }

  /// The action at the end of the description, if there is one.
  package var remedy: Remedy? {
    Remedy.allCases.first { description.hasSuffix(": " + $0.rawValue) }
  }

  /// The description without the action.
  package var problem: String { withoutRemedy(description) }

  /// Returns a text that ends as the description does, without the action.
  package func withoutRemedy(_ text: String) -> String {
    String(text.dropLast(remedy.map { $0.rawValue.count + 2 } ?? 0))
  }
}

extension TokenError {
  /// Returns a description of the text around the token, and how to remove it; nil if there is none.
  private static func wrapping(of token: String) -> String? {
    switch token.utf8.first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return "is in quotes: \(Remedy.quotes.rawValue)"
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return "is JSON: \(Remedy.json.rawValue)"
    case UInt8(ascii: "a"), UInt8(ascii: "A"):
      guard token.lowercased().hasPrefix("authorization:") else { return nil }
      return "starts with \"Authorization:\": \(Remedy.header.rawValue)"
    default: break
    }
    if token.utf8.first != 0, token.utf8.dropFirst().first == 0 { return utf16 }
    switch token.unicodeScalars.first {
    case "\u{feff}": return "starts with a byte order mark: \(Remedy.byteOrderMark.rawValue)"
    case "\u{fffd}": return token.utf8.contains(0) ? utf16 : nil
    default: return nil
    }
  }

  private static let utf16 =
    "is encoded in UTF-16: \(Remedy.utf16.rawValue)"

  /// Returns a path for display, or a placeholder if it may be a secret given by mistake.
  package static func shown(_ path: String) -> String {
    let isSecret =
      path.utf8.count > 1024 || path.hasPrefix("{") || path.hasPrefix("eyJ")
      || path.hasPrefix("-----BEGIN") || path.utf8.contains(UInt8(ascii: "\n"))
    return isSecret ? "<redacted: it looks like a secret, not like a file name>" : path
  }
}
