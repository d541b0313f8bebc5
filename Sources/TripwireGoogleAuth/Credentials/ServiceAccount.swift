import Tripwire
import WireSystem

/// The key of a service account: `service_account`. A JWT that it signs gives access tokens (RFC 7523).
struct ServiceAccount: GoogleCredentials {
  static let type = "service_account"
  static let tokenURI = "https://oauth2.googleapis.com/token"

  let name: String
  let quotaProjectID: String?
  private let key: ServiceAccountKey
  private let tokenURI: String

  init(_ fields: CredentialsFields) throws(TokenError) {
    name = fields.name
    guard AccountAddress.isValid(try fields.text("client_email")) else {
      throw fields.bad("the field client_email is not the address of a service account")
    }
    key = try ServiceAccountKey(fields.object, origin: fields.origin)
    tokenURI = fields.optional("token_uri") ?? Self.tokenURI
    quotaProjectID = try fields.quotaProjectID()
  }

  var isRepaired: Bool { key.isRepaired }
  var hasLastingSecret: Bool { true }

  var member: IAMMember? { .serviceAccount(key.clientEmail) }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    let request = HTTPRequest(
      tokenURI,
      form: [
        ("assertion", try key.assertion(scope: scope, audience: Self.tokenURI, at: WallTime.now)),
        ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
      ])
    return try await TokenEndpoint(
      client: client, credentials: name,
      action:
        "check that the key of \(key.clientEmail) still exists, and the clock of this machine"
    ).token(request)
  }
}
