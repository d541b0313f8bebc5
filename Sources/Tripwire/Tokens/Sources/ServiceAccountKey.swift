import WireGRPC
import WireProtobuf
import WireSystem
import WireTLS

/// The private key of a service account, which signs JWTs: the JSON file that Google Cloud gives.
/// Nothing prints it.
public struct ServiceAccountKey: Sendable {
  /// Whose key it is, "backend@my-project.iam.gserviceaccount.com": `iss` and `sub` of its tokens.
  public let clientEmail: String
  /// `kid` of its tokens.
  public let privateKeyID: String
  /// The Cloud project that the account is of, if the file says so.
  package let projectID: String?
  private let key: RSAKey

  /// For whom the tokens are: Fleet Engine, with the slash at its end.
  public static let audience = "https://fleetengine.googleapis.com/"
  /// The longest that Fleet Engine has a token last, in seconds.
  public static let longestLifetime = 3600.0

  /// Waits for the writer of a file that is a pipe, 15 s at most.
  ///
  /// - Throws: ``TokenError`` when the file cannot be read or holds no such key.
  public init(path: String) throws(TokenError) {
    try self.init(path: path, until: nil)
  }

  /// - Parameter deadline: when to give up waiting for the writer of a pipe; nil does after 15 s.
  package init(path: String, until deadline: ContinuousClock.Instant?) throws(TokenError) {
    let json: [UInt8]
    do throws(FileReadError) {
      json = try LocalFile.contents(of: path, limit: Self.longest, until: deadline)
    } catch {
      throw .badKey(origin: path, reason: error.description)
    }
    try self.init(json: json, origin: path)
  }

  /// Reads standard input to its end.
  ///
  /// - Parameter deadline: when to give up waiting; nil never does.
  package init(
    standardInputUntil deadline: ContinuousClock.Instant?
  ) throws(TokenError) {
    let origin = "stdin"
    let json: [UInt8]
    do throws(FileReadError) {
      json = try LocalFile().contents(limit: Self.longest, until: deadline)
    } catch {
      throw .badKey(origin: origin, reason: error.description)
    }
    try self.init(json: json, origin: origin)
  }

  /// - Parameters:
  ///   - json: with `client_email`, `private_key_id` and `private_key`, an RSA key in PEM.
  ///   - origin: where it comes from, for errors.
  /// - Throws: ``TokenError/badKey(origin:reason:)``.
  public init(json: [UInt8], origin: String = "the service account key") throws(TokenError) {
    func bad(_ reason: String) -> TokenError { .badKey(origin: origin, reason: reason) }
    guard json.count <= Self.longest else { throw bad("longer than 64 KiB") }
    let fields: Struct
    do throws(JSONDecodingError) {
      fields = try Struct(jsonUTF8Bytes: json)
    } catch {
      throw bad(Self.whyNoJSON(json, error.reason))
    }
    func field(_ name: String) throws(TokenError) -> String {
      guard let text = fields.text(name), !text.isEmpty else {
        throw bad(
          "the field \(name) is missing: expected the key of a service account, made by 'gcloud iam"
            + " service-accounts keys create'")
      }
      return text
    }
    let type = fields.text("type")
    if let type, type != "service_account" {
      // Others may be anything.
      let known = ["authorized_user", "external_account", "impersonated_service_account"]
      throw .cannotSign(
        origin: origin, type: known.contains(type) ? type : "unknown")
    }
    clientEmail = try field("client_email")
    privateKeyID = try field("private_key_id")
    projectID = fields.text("project_id").flatMap { $0.isEmpty ? nil : $0 }
    let privateKey = try field("private_key")
    guard !privateKey.mentions("\\n") else {
      throw bad(
        "private_key contains \\n as two characters instead of line ends: use the unchanged file from"
          + " Google Cloud")
    }
    let pem = Array(privateKey.utf8)
    do throws(TLSError) {
      key = try RSAKey(pem: pem, "private_key")
    } catch {
      throw bad(error.description)
    }
  }

  private static let longest = 64 * 1024

  /// And what to do. Does not say where the JSON is broken: that may be in the key.
  private static func whyNoJSON(_ bytes: [UInt8], _ reason: JSONDecodingError.Reason) -> String {
    let text = bytes.trimmingWhitespace()
    if text.isEmpty { return "the file is empty" }
    if text.starts(with: [0xef, 0xbb, 0xbf]) {
      return "starts with a byte order mark: save the file without one"
    }
    if text.contains(0) { return "encoded in UTF-16: save the file as UTF-8" }
    if text.starts(with: Array("-----BEGIN".utf8)) {
      return "a PEM file: use the JSON file from Google Cloud"
    }
    guard text.first == UInt8(ascii: "{") else {
      return "not a JSON object: use the file from Google Cloud"
    }
    return reason == .truncated
      ? "unexpected end of the JSON: copy the whole file"
      : "not a JSON object: use the unchanged file from Google Cloud"
  }

  /// A JWT for Fleet Engine, signed with RS256; its text is the token's ``AuthToken/value``.
  ///
  /// - Parameters:
  ///   - claims: what it lets its bearer do.
  ///   - audience: for whom it is.
  ///   - lifetime: in seconds from then on, 1 to 3600.
  ///   - time: when it is issued, in seconds since 1970; nil for now.
  /// - Throws: ``TokenError`` for a claim that Fleet Engine would not take, or if it cannot be signed.
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
    // Times are whole numbers: not every reader of JWTs takes others.
    guard let start = Int64(exactly: now.rounded(.down)), start.magnitude < 1 << 53 else {
      throw .badClaim(name: "iat", reason: "must be seconds since 1970, not \(now)")
    }
    do {
      let issuer = clientEmail.quotedAsJSON
      let header = "{\"alg\":\"RS256\",\"kid\":\(privateKeyID.quotedAsJSON),\"typ\":\"JWT\"}"
      let payload =
        "{\"aud\":\(audience.quotedAsJSON),\"authorization\":\(claims.json),"
        + "\"exp\":\(start + Int64(lifetime)),\"iat\":\(start),\"iss\":\(issuer),\"sub\":\(issuer)}"
      let text = [header, payload].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
      let signature = try key.signature(of: Array(text.utf8))
      return AuthToken(text + "." + Base64URL.encode(signature))
    } catch {
      throw .badKey(origin: "the token", reason: "\(error)")
    }
  }

  /// Whether it has signed a token.
  package func hasSigned(_ token: JSONWebToken) -> Bool {
    (try? key.signature(of: Array(token.signedText.utf8))) == token.signature
  }
}

extension ServiceAccountKey: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Does not show the key.
  public var description: String { "ServiceAccountKey(\(clientEmail), <redacted>)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
