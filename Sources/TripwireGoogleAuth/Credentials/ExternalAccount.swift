import Tripwire
import WireProtobuf

/// Workload identity federation: `external_account`. Google's Security Token Service (STS) exchanges the token of another
/// identity provider (RFC 8693).
struct ExternalAccount: GoogleCredentials {
  static let type = "external_account"

  let name: String
  let quotaProjectID: String?
  private let tokenURL: String
  private let audience: String
  private let tokenType: String
  private let source: SubjectTokenSource
  private let clientID: String?
  private let clientSecret: String
  private let userProject: String?

  /// Returns the credentials, or those of the service account that they impersonate.
  static func credentials(_ fields: CredentialsFields) throws(TokenError) -> any GoogleCredentials {
    let own = try ExternalAccount(fields)
    guard let url = fields.optional("service_account_impersonation_url") else { return own }
    let options = fields.object.object("service_account_impersonation")
    return try ImpersonatedServiceAccount(
      fields, url: url, source: own, lifetime: options?.integer("token_lifetime_seconds"))
  }

  private init(_ fields: CredentialsFields) throws(TokenError) {
    name = fields.name
    quotaProjectID = try fields.quotaProjectID()
    tokenURL = fields.optional("token_url") ?? "https://sts.googleapis.com/v1/token"
    audience = try fields.text("audience")
    tokenType = try fields.text("subject_token_type")
    clientID = fields.optional("client_id")
    clientSecret = fields.optional("client_secret") ?? ""
    userProject = fields.optional("workforce_pool_user_project")
    source = try SubjectTokenSource(
      fields.object("credential_source"), audience: audience, tokenType: tokenType,
      impersonationURL: fields.optional("service_account_impersonation_url"))
  }

  var hasLastingSecret: Bool { clientID != nil }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    let endpoint = TokenEndpoint(
      client: client, credentials: name,
      action: "check the workload identity pool, its provider and the audience in the file",
      attempts: 1)
    let subjectToken = try await source.token(endpoint)
    // The client ID names the project by itself.
    let options = (clientID == nil ? userProject : nil).map { project in
      HTTPRequest.encoded(JSONWriter.object { $0.member("userProject", project) })
    }
    var request = HTTPRequest(
      tokenURL,
      form: [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("audience", audience),
        ("scope", scope),
        ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ("subject_token", subjectToken), ("subject_token_type", tokenType), ("options", options),
      ])
    if let clientID { request.authenticate(clientID, clientSecret) }
    return try await endpoint.token(request)
  }
}
