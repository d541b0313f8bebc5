import Tripwire
import WireSystem

/// A person's login: a refresh token gives access tokens (RFC 6749 section 6), with the scopes of the login.
final class UserCredentials: GoogleCredentials {
  /// A login with `gcloud auth application-default login`.
  static let type = "authorized_user"
  /// A login through a workforce pool. Google's Security Token Service (STS) refreshes it.
  static let workforceType = "external_account_authorized_user"

  /// The action when a login is no longer valid.
  static let login = "log in again: gcloud auth application-default login"

  let name: String
  let quotaProjectID: String?
  let isWorkforce: Bool
  private let request: HTTPRequest
  private let address: Locked<String?>

  init(_ fields: CredentialsFields, isWorkforce: Bool) throws(TokenError) {
    name = fields.name
    address = Locked(fields.optional("account"))
    quotaProjectID = try fields.quotaProjectID()
    self.isWorkforce = isWorkforce
    let url =
      isWorkforce
      ? try fields.text("token_url") : fields.optional("token_uri") ?? ServiceAccount.tokenURI
    let (id, secret) = (try fields.text("client_id"), try fields.text("client_secret"))
    let grant = [
      ("grant_type", "refresh_token"), ("refresh_token", try fields.text("refresh_token")),
    ]
    // Google's OAuth endpoint has its clients in the form, and STS in a header.
    let client = [
      ("client_id", id), ("client_secret", secret), ("scope", fields.words("scopes")),
    ]
    var request = HTTPRequest(url, form: isWorkforce ? grant : grant + client)
    if isWorkforce { request.authenticate(id, secret) }
    self.request = request
  }

  var hasLastingSecret: Bool { true }

  var member: IAMMember? { address.withLock { $0 }.flatMap(IAMMember.init(address:)) }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    try await TokenEndpoint(
      client: client, credentials: name, action: Self.login, attempts: isWorkforce ? 1 : 3
    ).token(request) {
      // With the scope "openid", which the logins of gcloud have, the response says who the user is.
      let token = $0.text("id_token").flatMap { try? JSONWebToken($0) }
      if let email = token?.claims.text("email") { address.withLock { $0 = email } }
    }
  }
}
