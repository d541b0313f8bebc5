import Tripwire

/// A person's login: `authorized_user`, of `gcloud auth application-default login`. A refresh token gives access
/// tokens (RFC 6749 section 6), with the scopes of the login.
struct AuthorizedUser: GoogleCredentials {
  static let type = "authorized_user"
  /// The action when a login is no longer valid.
  static let login = "log in again: gcloud auth application-default login"

  let name: String
  let quotaProjectID: String?
  private let request: HTTPRequest
  private let address: String?

  init(_ fields: CredentialsFields) throws(TokenError) {
    name = fields.name
    address = fields.optional("account")
    quotaProjectID = try fields.quotaProjectID()
    request = HTTPRequest(
      fields.optional("token_uri") ?? ServiceAccount.tokenURI,
      form: [
        ("grant_type", "refresh_token"), ("client_id", try fields.text("client_id")),
        ("client_secret", try fields.text("client_secret")),
        ("refresh_token", try fields.text("refresh_token")), ("scope", fields.words("scopes")),
      ])
  }

  func person() -> String? { address }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    try await TokenEndpoint(client: client, credentials: name, action: Self.login).token(request)
  }
}

/// A login through a workforce pool: `external_account_authorized_user`. Google's Security Token Service (STS) refreshes it.
struct ExternalAccountAuthorizedUser: GoogleCredentials {
  static let type = "external_account_authorized_user"

  let name: String
  let quotaProjectID: String?
  private let request: HTTPRequest

  init(_ fields: CredentialsFields) throws(TokenError) {
    name = fields.name
    quotaProjectID = try fields.quotaProjectID()
    var request = HTTPRequest(
      try fields.text("token_url"),
      form: [
        ("grant_type", "refresh_token"), ("refresh_token", try fields.text("refresh_token")),
      ])
    request.authenticate(try fields.text("client_id"), try fields.text("client_secret"))
    self.request = request
  }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    try await TokenEndpoint(
      client: client, credentials: name, action: AuthorizedUser.login, attempts: 1
    ).token(request)
  }
}
