package import Tripwire
import WireGRPC
import WireProtobuf

/// Credentials of Google Cloud, for access tokens (OAuth 2.0).
package protocol GoogleCredentials: Sendable {
  /// The name in messages: "the credentials in FILE".
  var name: String { get }
  /// The credentials that a file had when it was read last; otherwise these.
  var current: any GoogleCredentials { get }
  /// Reads a file again if it has changed, and returns its credentials; otherwise these.
  func latest() throws(TokenError) -> any GoogleCredentials
  /// The project that the use of APIs is charged to, if the credentials name one.
  var quotaProjectID: String? { get }

  /// Whether line ends of a private key were restored.
  var isRepaired: Bool { get }

  /// The member of IAM that the tokens are for; nil while it is unknown.
  var member: IAMMember? { get }

  /// Whether a secret in the file does not expire by itself: a private key, a refresh token or the secret of a client.
  var hasLastingSecret: Bool { get }

  /// Returns the address of the service account that the tokens are for; nil for a user.
  func account(_ client: HTTPClient) async throws -> String?

  /// Requests a token.
  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken
}

extension GoogleCredentials {
  package var current: any GoogleCredentials { self }
  package func latest() -> any GoogleCredentials { self }
  package var quotaProjectID: String? { nil }
  package var isRepaired: Bool { false }
  package var member: IAMMember? { nil }
  package var hasLastingSecret: Bool { false }
  package func account(_ client: HTTPClient) async throws -> String? {
    if case .serviceAccount(let address) = member { address } else { nil }
  }
}

/// The scopes of access tokens.
enum Scope {
  /// All APIs of Google Cloud.
  static let cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"
  /// The API that gives tokens of other accounts.
  static let iam = "https://www.googleapis.com/auth/iam"
}

/// The members of a credentials file.
struct CredentialsFields: Sendable {
  let object: Struct
  /// The name of the file, for errors.
  let origin: String

  /// "the credentials in FILE"
  var name: String { "the credentials in \(TokenError.shown(origin))" }

  /// - Throws: ``TokenError/badKey(origin:reason:)`` without a string of this name.
  func text(_ member: String) throws(TokenError) -> String {
    guard let text = optional(member) else {
      throw bad("the field \(member) is missing, empty or not a string")
    }
    return text
  }

  /// Returns a string that is not empty.
  func optional(_ member: String) -> String? {
    object.text(member).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the project that the use of APIs is charged to.
  func quotaProjectID() throws(TokenError) -> String? {
    guard let id = optional("quota_project_id") else { return nil }
    guard id.utf8.allSatisfy({ $0.isUnreserved || $0 == UInt8(ascii: ":") }) else {
      throw bad("the field quota_project_id is not the ID of a project")
    }
    return id
  }

  /// Returns a string, or the strings of an array with spaces between them.
  func words(_ member: String) -> String? {
    let words = object.texts(member)
    return words.isEmpty ? optional(member) : words.joined(separator: " ")
  }

  func object(_ member: String) throws(TokenError) -> CredentialsFields {
    guard let inner = object.object(member) else {
      throw bad("the field \(member) is missing or not an object")
    }
    return CredentialsFields(object: inner, origin: origin)
  }

  func bad(_ problem: String, action: String = "create the file again, with gcloud") -> TokenError {
    .badKey(origin: origin, reason: TokenError.Reason(problem, action: action))
  }
}
