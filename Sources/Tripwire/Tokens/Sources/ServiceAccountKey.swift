import WireGRPC
import WireProtobuf
import WireSystem
import WireTLS

/// The private key of a service account, which signs JWTs: the JSON key file from Google Cloud. Its
/// descriptions do not contain the key.
public struct ServiceAccountKey: Sendable {
  /// The email of the service account, such as "backend@my-project.iam.gserviceaccount.com": `iss`
  /// and `sub` of its tokens.
  public let clientEmail: String
  /// The key ID: `kid` of its tokens.
  public let privateKeyID: String
  /// The Cloud project of the account, if the file contains it.
  package let projectID: String?
  private let key: RSAKey

  /// The default audience: Fleet Engine, with a slash at the end.
  public static let audience = "https://fleetengine.googleapis.com/"
  /// The maximum lifetime of a token in Fleet Engine, in seconds.
  public static let longestLifetime = 3600.0

  /// Reads a key file. Waits up to 15 s for the writer of a pipe.
  ///
  /// - Throws: ``TokenError`` if the file cannot be read or does not contain a service account key.
  public init(path: String) throws(TokenError) {
    try self.init(path: path, until: nil)
  }

  /// - Parameter deadline: when to stop waiting for the writer of a pipe; nil means 15 s.
  package init(path: String, until deadline: ContinuousClock.Instant?) throws(TokenError) {
    let json = try mapError(LocalFile.contents(of: path, limit: Self.longest, until: deadline)) {
      (error: FileReadError) in TokenError.badKey(origin: path, reason: TokenError.Reason(error))
    }
    try self.init(json: json, origin: path)
  }

  /// - Parameters:
  ///   - path: the path of a file, or `-` for standard input.
  ///   - deadline: when to stop waiting; nil means 15 s for the writer of a pipe, never for standard input.
  package init(
    operand path: String, until deadline: ContinuousClock.Instant? = nil
  ) throws(TokenError) {
    let origin = LocalFile.name(of: path)
    let json = try mapError(LocalFile.input(path, limit: Self.longest, until: deadline)) {
      (error: FileReadError) in TokenError.badKey(origin: origin, reason: TokenError.Reason(error))
    }
    try self.init(json: json, origin: origin)
  }

  /// Parses the JSON of a key file.
  ///
  /// - Parameters:
  ///   - json: an object with `client_email`, `private_key_id` and `private_key`, an RSA key in
  ///     PEM.
  ///   - origin: the source of the JSON, for errors.
  /// - Throws: ``TokenError/badKey(origin:reason:)`` or ``TokenError/cannotSign(origin:type:)``.
  public init(json: [UInt8], origin: String = "the service account key") throws(TokenError) {
    func bad(_ reason: TokenError.Reason) -> TokenError { .badKey(origin: origin, reason: reason) }
    guard json.count <= Self.longest else { throw bad("longer than 64 KiB") }
    let fields = try mapError(Struct(jsonUTF8Bytes: json)) {
      (error: JSONDecodingError) in Self.invalidJSON(json, error, origin)
    }
    func field(_ name: String) throws(TokenError) -> String {
      guard let text = fields.text(name), !text.isEmpty else {
        throw bad(
          """
          the field \(name) is missing, empty or not a string: expected the key of a service account, made by \
          'gcloud iam service-accounts keys create'
          """)
      }
      return text
    }
    let type = fields.text("type")
    if let type, type != "service_account" {
      // Other values may be anything, so they are not repeated.
      let known = ["authorized_user", "external_account", "impersonated_service_account"]
      guard known.contains(type) else { throw bad("the field type is not \"service_account\"") }
      throw .cannotSign(origin: origin, type: type)
    }
    clientEmail = try field("client_email")
    privateKeyID = try field("private_key_id")
    projectID = fields.text("project_id").flatMap { $0.isEmpty ? nil : $0 }
    let privateKey = try field("private_key")
    guard !privateKey.mentions("\\n") else {
      throw bad(
        TokenError.Reason(
          "private_key contains \\n as two characters instead of line ends", .unchangedKey))
    }
    key = try mapError(RSAKey(pem: Array(privateKey.utf8), "private_key")) {
      (error: TLSError) in bad(TokenError.Reason("\(error)", .newKey))
    }
  }

  private static let longest = 64 * 1024

  /// Returns the error with an action, and without any part of the key.
  private static func invalidJSON(
    _ bytes: [UInt8], _ error: JSONDecodingError, _ origin: String
  ) -> TokenError {
    if let reason = reasonForOtherContent(bytes, origin) {
      return .badKey(origin: origin, reason: reason)
    }
    return error.reason == .truncated
      ? .badKey(origin: origin, reason: TokenError.Reason("unexpected end of JSON", .wholeKey))
      : .badKey(
        origin: "\(origin):\(error.line):\(error.column)",
        reason: TokenError.Reason("invalid JSON\(details(error.reason))", .unchangedKey))
  }

  /// Returns the reason after a colon, without text of the file; "" if there is none.
  private static func details(_ reason: JSONDecodingError.Reason) -> String {
    switch reason {
    case .duplicateField: ": duplicate member"
    case .expected, .malformedString, .malformedNumber, .numberOutOfRange, .trailingText:
      ": \(reason)"
    default: ""
    }
  }

  /// Returns the reason why bytes are not a JSON object at all, with an action; nil if they begin
  /// with {.
  private static func reasonForOtherContent(
    _ bytes: [UInt8], _ origin: String
  ) -> TokenError.Reason? {
    let text = bytes.trimmingWhitespace()
    if text.isEmpty {
      return origin == LocalFile.name(of: "-") ? .noInput : "the file is empty"
    }
    if text.starts(with: JSONScanner.byteOrderMark) {
      return TokenError.Reason("starts with a byte order mark", .byteOrderMark)
    }
    let brace = UInt8(ascii: "{")
    if [[0xff, 0xfe], [0xfe, 0xff], [brace, 0], [0, brace]].contains(where: {
      text.starts(with: $0)
    }) {
      return TokenError.Reason("encoded in UTF-16", .utf16)
    }
    if text.starts(with: Array("-----BEGIN".utf8)) {
      return TokenError.Reason("a PEM file, not JSON", .jsonKey)
    }
    guard text.first == brace else {
      return TokenError.Reason("not a JSON object", .jsonKey)
    }
    return nil
  }

  /// Signs a JWT for Fleet Engine with RS256.
  ///
  /// - Parameters:
  ///   - claims: the permissions of the token.
  ///   - audience: the audience of the token.
  ///   - lifetime: the lifetime in seconds, 1 to 3600.
  ///   - time: when the token is issued, in seconds since 1970; nil means now.
  /// - Throws: ``TokenError`` for a claim that Fleet Engine would reject, or if signing fails.
  public func token(
    _ claims: AuthorizationClaims, audience: String = audience, lifetime: Double = longestLifetime,
    at time: Double? = nil
  ) throws(TokenError) -> AuthToken {
    let now = time ?? WallTime.now
    try claims.check()
    guard (1...Self.longestLifetime).contains(lifetime) else {
      throw .badClaim(
        name: "exp", reason: "must be 1 to 3600 seconds after iat, not \(lifetime)")
    }
    // Times are integers, because not every reader of JWTs accepts fractions.
    guard let start = Int64(exactly: now.rounded(.down)), start.magnitude < 1 << 53 else {
      throw .badClaim(name: "iat", reason: "must be seconds since 1970, not \(now)")
    }
    do {
      let header = JSONWriter.object { json in
        json.member("alg", "RS256")
        json.member("kid", privateKeyID)
        json.member("typ", "JWT")
      }
      let payload = JSONWriter.object { json in
        json.member("aud", audience)
        json.member("authorization", json: claims.json)
        json.member("exp", start + Int64(lifetime))
        json.member("iat", start)
        json.member("iss", clientEmail)
        json.member("sub", clientEmail)
      }
      let text = [header, payload].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
      let signature = try key.signature(of: Array(text.utf8))
      return AuthToken(text + "." + Base64URL.encode(signature))
    } catch {
      throw .badKey(origin: "the token", reason: "\(error)")
    }
  }

  /// Whether this key signed a token.
  package func hasSigned(_ token: JSONWebToken) -> Bool {
    (try? key.signature(of: Array(token.signedText.utf8))) == token.signature
  }
}

extension ServiceAccountKey: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// A description without the key.
  public var description: String { "ServiceAccountKey(\(clientEmail), <redacted>)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
