package import Tripwire
import WireProtobuf
import WireSystem

/// The credentials files of Google Cloud: JSON with a `type`.
package enum CredentialsFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: the path of a file; `-` is standard input.
  ///   - deadline: when to stop waiting; nil means 15 s for the writer of a pipe, never for standard input.
  ///   - mayBeToken: whether the file may contain an access token instead of JSON.
  /// - Throws: ``TokenError`` if the file cannot be read, or its content is not of a known type.
  package static func credentials(
    path: String, until deadline: ContinuousClock.Instant? = nil, mayBeToken: Bool = false
  ) throws(TokenError) -> any GoogleCredentials {
    let (bytes, origin) = try ServiceAccountKey.contents(of: path, until: deadline)
    let text = bytes.trimmingWhitespace()
    let isFile = path != "-" && (try? FileVersion(of: path)) != nil
    let isJSON = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(text.first)
    if mayBeToken, text.count > 1, text.allSatisfy({ (0x21...0x7e).contains($0) }), !isJSON {
      return try AccessTokenText(text, origin: origin, path: isFile ? path : nil)
    }
    let credentials = try credentials(json: bytes, origin: origin)
    return isFile ? CredentialsOfFile(path: path, credentials) : credentials
  }

  /// Reads a file again.
  static func content(of path: String) throws(TokenError) -> any GoogleCredentials {
    let (json, origin) = try ServiceAccountKey.contents(of: path, until: nil)
    return try credentials(json: json, origin: origin)
  }

  /// - Parameter origin: the source of the JSON, for errors.
  package static func credentials(
    json: [UInt8], origin: String
  ) throws(TokenError) -> any GoogleCredentials {
    try credentials(
      CredentialsFields(object: Struct(credentials: json, origin: origin), origin: origin))
  }

  static func credentials(
    _ fields: CredentialsFields
  ) throws(TokenError) -> any GoogleCredentials {
    if let universe = fields.optional("universe_domain"), universe != "googleapis.com" {
      throw fields.bad(
        "the field universe_domain names another cloud than googleapis.com",
        action: "use credentials of googleapis.com")
    }
    switch fields.optional("type") {
    case UserCredentials.type: return try UserCredentials(fields, isWorkforce: false)
    case UserCredentials.workforceType: return try UserCredentials(fields, isWorkforce: true)
    case ServiceAccount.type: return try ServiceAccount(fields)
    case ImpersonatedServiceAccount.type: return try ImpersonatedServiceAccount(fields)
    case ExternalAccount.type: return try ExternalAccount.credentials(fields)
    case nil: throw fields.bad("the field type is missing", action: expected)
    // Other values may be anything, so they are not repeated.
    default: throw fields.bad("the field type has an unknown value", action: expected)
    }
  }

  private static let expected =
    "use a file of 'gcloud auth application-default login', of a workload identity pool, or the key of a service"
    + " account"
}
