import WireGRPC
package import WireSystem

/// The reason why no token is available. Never contains the token or a part of it.
public enum TokenError: Error, Hashable, Sendable {
  /// The file cannot be read, or it does not contain a valid token.
  case unreadable(path: String, reason: Reason)
  /// The token is empty.
  case empty
  /// The token is longer than 64 KiB.
  case tooLong
  /// The token starts with "Bearer ", which belongs to the header.
  case scheme
  /// The token is quoted, in JSON, or otherwise wrapped. `reason` states the problem and how to fix
  /// it.
  case malformed(reason: Reason)
  /// The token has an invalid character, such as a space or a line end, at this offset in bytes.
  case illegalCharacter(offset: Int)
  /// The provider returned neither a token nor an error.
  case none
  /// The service account key, or another file with Google Cloud credentials, is invalid; `origin` is the file.
  case badKey(origin: String, reason: Reason)
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
  /// A token endpoint, a signer or a program gave no token. `place` is its URL or name.
  case endpointFailed(place: String, reason: Reason)
  /// There are no Google Cloud credentials on this machine.
  case noCredentials
  /// The JSON response does not contain a valid token or expiration.
  case invalidResponse(reason: String)
}

extension TokenError: CustomStringConvertible {
  /// The failure and its reason, without the token.
  public var description: String {
    switch self {
    case .empty: "the token is empty"
    case .tooLong: "the token is longer than 64 KiB"
    case .illegalCharacter(let offset):
      "the token has an invalid character at byte offset \(offset):"
        + " expected one line of printable ASCII without spaces"
    case .none: "the token provider returned neither a token nor an error"
    case .cannotSign(let origin, let type):
      "\(Self.shown(origin)): credentials of type \(type) cannot sign tokens"
    case .badClaim(let name, let reason): "the claim \(name) \(reason)"
    case .commandFailed("", let reason): "the token command \(reason)"
    case .commandFailed(let program, let reason): "the token command \(program) \(reason)"
    case .refused(let reason, _, _): reason
    case .invalidResponse(let reason): "the token response is invalid: \(reason)"
    case .unreadable, .scheme, .malformed, .badKey, .endpointFailed, .noCredentials:
      problem + (action.map { ": " + $0 } ?? "")
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
  /// A reason in words: a literal, or text with values.
  public struct Reason: Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringInterpolation
  {
    /// The reasons that lead to other advice.
    package enum Cause: Hashable, Sendable {
      case file(FileReadError)
      /// Standard input is empty.
      case noInput
      case remedy(Remedy)
      /// An action in words.
      case action(String)
      /// Google Cloud credentials of this type are in place of the token.
      case credentials(type: String)

      /// The action for the user, if there is one.
      package var action: String? {
        switch self {
        case .remedy(let remedy): remedy.rawValue
        case .action(let action): action
        case .credentials(type: "service_account"):
          "use it as a service account key, or for access tokens"
        case .credentials: "use it for access tokens"
        case .file, .noInput: nil
        }
      }
    }

    /// The reason without the remedy.
    package let problem: String
    package let cause: Cause?
    /// Whether it is on this machine, and no server and no program was asked for a token.
    package private(set) var isLocal = false

    /// The text of the reason.
    public var description: String {
      if let action = cause?.action { "\(problem): \(action)" } else { problem }
    }

    private init(_ problem: String, _ cause: Cause?) {
      self.problem = problem
      self.cause = cause
    }

    /// Creates a reason from its text.
    public init(stringLiteral text: String) { self.init(text, nil) }

    package init(_ problem: String, action: String, isLocal: Bool = false) {
      self.init(problem, .action(action))
      self.isLocal = isLocal
    }

    init(_ problem: String, credentials type: String) {
      self.init(problem, .credentials(type: type))
    }

    init(_ problem: String, _ remedy: Remedy) { self.init(problem, .remedy(remedy)) }

    package init(_ error: FileReadError) { self.init(error.description, .file(error)) }

    static let noInput = Reason("no input", .noInput)

    /// Returns the reason why a token is invalid.
    package init(_ error: TokenError) {
      self.init(error.problem, error.cause)
    }

    public static func == (a: Reason, b: Reason) -> Bool { a.description == b.description }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }

  /// An action for the user, which is at the end of the description.
  package enum Remedy: String, Sendable {
    case scheme = "remove \"Bearer \""
    case quotes = "remove the quotes, for example with jq -r"
    case json = "extract the token, for example with jq -r .token"
    case header = "remove everything before the token"
    case byteOrderMark = "save it without a byte order mark"
    case utf16 = "save it as ASCII, in PowerShell with Set-Content -Encoding ascii"
    case wholeKey = "copy the whole file"
    case jsonKey = "use the JSON file from Google Cloud"
    case login = "run 'gcloud auth application-default login'"
    case newKey = "create a new JSON key of the service account"
    case unchangedKey = "use the unchanged JSON file from Google Cloud"
  }

  /// The cause that leads to other advice, if there is one.
  package var cause: Reason.Cause? {
    switch self {
    case .scheme: .remedy(.scheme)
    case .unreadable(_, let reason), .malformed(let reason), .badKey(_, let reason),
      .endpointFailed(_, let reason):
      reason.cause
    case .noCredentials: .remedy(.login)
    default: nil
    }
  }

  /// Whether the reason is on this machine, such as a file that cannot be used, and no server and no program was asked
  /// for a token.
  package var isLocal: Bool {
    switch self {
    case .unreadable, .badKey, .cannotSign, .badClaim, .noCredentials: true
    case .endpointFailed(_, let reason): reason.isLocal
    // A program, a server or a function has given these.
    case .empty, .tooLong, .scheme, .malformed, .illegalCharacter, .none, .commandFailed, .refused,
      .invalidResponse:
      false
    }
  }

  /// The action at the end of the description, if there is one.
  package var action: String? { cause?.action }

  /// The description without the action.
  package var problem: String {
    switch self {
    case .scheme: "the token starts with \"Bearer \""
    case .unreadable(let path, let reason):
      "cannot read the token from \(Self.shown(path)): \(reason.problem)"
    case .malformed(let reason): "the token \(reason.problem)"
    case .badKey(let origin, let reason): "\(Self.shown(origin)): \(reason.problem)"
    case .endpointFailed(let place, let reason): "\(place) \(reason.problem)"
    case .noCredentials: "this machine has no Google Cloud credentials"
    default: description
    }
  }
}

extension TokenError {
  /// Returns a description of the text around the token, and how to remove it; nil if there is none.
  private static func wrapping(of token: String) -> Reason? {
    switch token.utf8.first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return Reason("is in quotes", .quotes)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let type = ServiceAccountKey.type(ofCredentials: token) else {
        return Reason("is JSON", .json)
      }
      return Reason("is Google Cloud credentials of type \(type)", credentials: type)
    case UInt8(ascii: "a"), UInt8(ascii: "A"):
      guard token.lowercased().hasPrefix("authorization:") else { return nil }
      return Reason("starts with \"Authorization:\"", .header)
    default: break
    }
    if token.utf8.first != 0, token.utf8.dropFirst().first == 0 { return utf16 }
    switch token.unicodeScalars.first {
    case "\u{feff}": return Reason("starts with a byte order mark", .byteOrderMark)
    case "\u{fffd}": return token.utf8.contains(0) ? utf16 : nil
    default: return nil
    }
  }

  private static let utf16 = Reason("is encoded in UTF-16", .utf16)

  /// Returns a path for display, or a placeholder if it may be a secret given by mistake.
  package static func shown(_ path: String) -> String {
    let isSecret =
      path.utf8.count > 1024
      || ["{", "eyJ", "ya29.", "1//", "GOCSPX-", "-----BEGIN"].contains(where: path.hasPrefix)
      || path.utf8.contains(UInt8(ascii: "\n"))
    return isSecret ? "<redacted: it looks like a secret, not like a file name>" : path
  }
}
