import WireGRPC

/// Why there is no token. Never holds the token, nor a part of it.
public enum TokenError: Error, Hashable, Sendable {
  /// The file cannot be read, or what it holds is not a token that may be sent.
  case unreadable(path: String, reason: String)
  /// There is nothing.
  case empty
  /// Longer than 64 KiB: that is no token.
  case tooLong
  /// It begins with "Bearer ", which belongs to the header and not to the token.
  case scheme
  /// It is not the token alone: in quotes or JSON, say. `reason` says of what kind, and the cure.
  case notAlone(reason: String)
  /// A character that no token has, such as a space or a line end, at this offset in bytes.
  case illegalCharacter(offset: Int)
  /// Whoever was asked gave neither a token nor a reason.
  case none
  /// What is no service-account key that can sign; `origin` is its file.
  case badKey(origin: String, reason: String)
  /// Credentials of Google Cloud that are not a service account's key, and cannot sign; `type` is theirs,
  /// `authorized_user` for example.
  case cannotSign(origin: String, type: String)
  /// A claim that Fleet Engine would not take.
  case badClaim(name: String, reason: String)
  /// The program that was to write it failed.
  case commandFailed(program: String, reason: String)
  /// The server refused the token, and there is no other yet. After `retryAfter` a call asks the source
  /// for another, or, if the token is the only one that its source has, sends it again; nil if every call
  /// looks for another.
  case refused(reason: String, retryAfter: Duration?, isOnly: Bool)
  /// What should be the token, and when it expires, in JSON, is not.
  case badAnswer(reason: String)
}

extension TokenError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read the token from \(Self.shown(path)): \(reason)"
    case .empty: "the token is empty"
    case .tooLong: "the token is longer than 64 KiB"
    case .scheme: "the token starts with \"Bearer \": remove it"
    case .notAlone(let reason): "the token \(reason)"
    case .illegalCharacter(let offset):
      "the token has an invalid character at offset \(offset)"
        + " (expected one line of printable ASCII without spaces)"
    case .none: "neither a token nor an error was returned"
    case .badKey(let origin, let reason): "\(Self.shown(origin)): \(reason)"
    case .cannotSign(let origin, let type):
      "\(Self.shown(origin)): credentials of the type \(type) cannot sign tokens"
    case .badClaim(let name, let reason): "the claim \(name) \(reason)"
    case .commandFailed(let program, let reason): "the token command \(program) \(reason)"
    case .refused(let reason, _, _): reason
    case .badAnswer(let reason): "the token response \(reason)"
    }
  }
}

extension TokenError {
  package static let longest = 64 * 1024

  /// Lets through what may follow "Bearer " in a header: visible ASCII (RFC 6750 §2.1 allows less,
  /// but the server is the judge of that).
  package static func check(_ token: String) throws(TokenError) {
    if token.isEmpty { throw .empty }
    if token.utf8.count > longest { throw .tooLong }
    if let reason = wrapping(of: token) { throw .notAlone(reason: reason) }
    // Almost always so: the slow way only finds the place.
    if token.hasOnly(octets: 0x21...0x7e) { return }
    if token.lowercased().hasPrefix("bearer ") { throw .scheme }
    if let offset = token.utf8.enumerated().first(where: { !(0x21...0x7e).contains($0.element) }) {
      throw .illegalCharacter(offset: offset.offset)
    }
  }
}

extension TokenError {
  /// What is around the token, and how to be rid of it, by how it begins; nil if nothing is.
  private static func wrapping(of token: String) -> String? {
    switch token.utf8.first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return "is in quotes: remove them, for example with jq -r"
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return "is JSON: extract the string, for example with jq -r .token"
    case UInt8(ascii: "a"), UInt8(ascii: "A"):
      guard token.lowercased().hasPrefix("authorization:") else { return nil }
      return "starts with \"Authorization:\": remove all that precedes the token"
    default: break
    }
    if token.utf8.dropFirst().first == 0 { return utf16 }
    switch token.unicodeScalars.first {
    case "\u{feff}": return "starts with a byte order mark: save it without one"
    case "\u{fffd}": return token.utf8.contains(0) ? utf16 : nil
    default: return nil
    }
  }

  private static let utf16 =
    "is encoded in UTF-16: save it as UTF-8, in PowerShell with Set-Content -Encoding ascii"

  /// A path, unless somebody gave the secret itself in its place.
  package static func shown(_ path: String) -> String {
    let isSecret =
      path.utf8.count > 1024 || path.hasPrefix("{") || path.hasPrefix("eyJ")
      || path.hasPrefix("-----BEGIN") || path.utf8.contains(UInt8(ascii: "\n"))
    return isSecret ? "<redacted: not a file name>" : path
  }
}
