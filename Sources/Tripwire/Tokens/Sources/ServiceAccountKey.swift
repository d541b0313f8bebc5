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
  /// Whether line ends of the private key were restored.
  package let isRepaired: Bool
  private let key: RSAKey

  /// The default audience: Fleet Engine, with a slash at the end.
  public static let audience = "https://fleetengine.googleapis.com/"
  /// The maximum lifetime of a token in Fleet Engine, in seconds.
  public static let longestLifetime = 3600.0

  /// Reads a key file. Waits up to 15 s for the writer of a pipe.
  ///
  /// - Throws: ``TokenError`` if the file cannot be read or does not contain a service account key.
  public init(path: String) throws(TokenError) {
    let json = try mapError(LocalFile.contents(of: path, limit: Self.longest)) {
      (error: FileReadError) in TokenError.badKey(origin: path, reason: TokenError.Reason(error))
    }
    try self.init(json: json, origin: path)
  }

  /// Returns the bytes of a file, or of standard input for `-`, and its name for errors.
  package static func contents(
    of path: String, until deadline: ContinuousClock.Instant?
  ) throws(TokenError) -> (json: [UInt8], origin: String) {
    let origin = LocalFile.name(of: path)
    let json = try mapError(LocalFile.input(path, limit: longest, until: deadline)) {
      (error: FileReadError) in TokenError.badKey(origin: origin, reason: TokenError.Reason(error))
    }
    return (json, origin)
  }

  /// Parses the JSON of a key file.
  ///
  /// - Parameters:
  ///   - json: an object with `client_email`, `private_key_id` and `private_key`, an RSA key in
  ///     PEM.
  ///   - origin: the source of the JSON, for errors.
  /// - Throws: ``TokenError/badKey(origin:reason:)`` or ``TokenError/cannotSign(origin:type:)``.
  public init(json: [UInt8], origin: String = "the service account key") throws(TokenError) {
    guard json.count <= Self.longest else {
      throw .badKey(origin: origin, reason: "longer than 64 KiB")
    }
    try self.init(Struct(credentials: json, origin: origin), origin: origin)
  }

  /// - Parameter fields: the object of a key file.
  package init(_ fields: Struct, origin: String) throws(TokenError) {
    func bad(_ reason: TokenError.Reason) -> TokenError { .badKey(origin: origin, reason: reason) }
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
    if let type, type != Self.type {
      guard Self.otherTypes.contains(type) else {
        throw bad("the field type is not \"service_account\"")
      }
      throw .cannotSign(origin: origin, type: type)
    }
    clientEmail = try field("client_email")
    privateKeyID = try field("private_key_id")
    projectID = fields.text("project_id").flatMap { $0.isEmpty ? nil : $0 }
    let pem = PEMText(try field("private_key"))
    isRepaired = pem.isRepaired
    key = try mapError(RSAKey(pem: Array(pem.text.utf8), "private_key")) {
      (error: TLSError) in bad(TokenError.Reason("\(error)", .newKey))
    }
  }

  package static let longest = 64 * 1024

  private static let type = "service_account"
  /// The other types of credentials files. Unknown ones may be anything, so they are not shown.
  private static let otherTypes = [
    "authorized_user", "external_account", "external_account_authorized_user",
    "impersonated_service_account",
  ]

  /// Returns the type of Google Cloud credentials in JSON; nil for any other text.
  static func type(ofCredentials json: String) -> String? {
    let type = (try? Struct(jsonUTF8Bytes: Array(json.utf8)))?.text("type")
    return type.flatMap { $0 == Self.type || otherTypes.contains($0) ? $0 : nil }
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
    let payload = try claims.payload(
      issuer: clientEmail, audience: audience, lifetime: lifetime, at: time ?? WallTime.now)
    return AuthToken(try signed(payload))
  }

  /// Signs a JWT that a Google API accepts in place of an access token, valid for an hour
  /// ([AIP-4111](https://google.aip.dev/auth/4111)).
  ///
  /// - Parameters:
  ///   - audience: the API, such as "https://logging.googleapis.com/".
  ///   - time: now, in seconds since 1970.
  package func token(audience: String, at time: Double) throws(TokenError) -> AuthToken {
    let start = Int64(time)
    return AuthToken(
      try signed(
        JSONWriter.object { json in
          json.member("aud", audience)
          json.member("exp", start + Int64(Self.longestLifetime))
          json.member("iat", start)
          json.member("iss", clientEmail)
          json.member("sub", clientEmail)
        }))
  }

  /// Signs a JWT for which a server of tokens gives an access token (RFC 7523 section 2.1), valid for an hour.
  ///
  /// - Parameter time: now, in seconds since 1970.
  package func assertion(
    scope: String, audience: String, at time: Double
  ) throws(TokenError) -> String {
    let start = Int64(time)
    return try signed(
      JSONWriter.object { json in
        json.member("iat", start)
        json.member("exp", start + Int64(Self.longestLifetime))
        json.member("iss", clientEmail)
        json.member("aud", audience)
        json.member("scope", scope)
      })
  }

  /// - Parameter payload: the claims in JSON.
  private func signed(_ payload: String) throws(TokenError) -> String {
    let header = JSONWriter.object { json in
      json.member("alg", "RS256")
      json.member("kid", privateKeyID)
      json.member("typ", "JWT")
    }
    let text = [header, payload].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    let signature = try mapError(key.signature(of: Array(text.utf8))) {
      (error: TLSError) in TokenError.badKey(origin: "the token", reason: "\(error)")
    }
    return text + "." + Base64URL.encode(signature)
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
