package import Tripwire
import WireProtobuf
import WireTransport

/// A service account whose tokens other credentials may request: `impersonated_service_account`, of `gcloud auth
/// application-default login --impersonate-service-account`.
package struct ImpersonatedServiceAccount: GoogleCredentials {
  package static let type = "impersonated_service_account"

  package let name: String
  package let quotaProjectID: String?
  /// The credentials that may request tokens.
  let source: any GoogleCredentials
  /// The address of the account.
  let target: String
  /// The accounts between, as in the file: resource names, or addresses as gcloud writes them.
  let delegates: [String]
  private let url: String
  private let lifetime: UInt64

  init(_ fields: CredentialsFields) throws(TokenError) {
    let source = try fields.object("source_credentials")
    guard source.optional("type") != Self.type else {
      throw fields.bad("the type of source_credentials must not be \(Self.type)")
    }
    try self.init(
      fields, url: fields.text("service_account_impersonation_url"),
      source: CredentialsFile.credentials(source), lifetime: nil)
  }

  /// - Parameters:
  ///   - url: of the method `generateAccessToken` of the account.
  ///   - lifetime: of the tokens in seconds; nil for an hour.
  init(
    _ fields: CredentialsFields, url: String, source: any GoogleCredentials, lifetime: UInt64?
  ) throws(TokenError) {
    let last = url.split(separator: "/").last ?? ""
    let account = String(last.prefix { $0 != ":" })
    guard last.hasSuffix(":generateAccessToken"), AccountAddress.isValid(account) else {
      throw fields.bad("service_account_impersonation_url names no service account")
    }
    // It gets the token of the source.
    let host = HTTPRequest(url).place?.host.lowercased() ?? ""
    guard host.hasSuffix(".googleapis.com") || ProxyExceptions.isLoopback(host) else {
      throw fields.bad("service_account_impersonation_url is not of googleapis.com")
    }
    target = account
    self.url = url
    self.source = source
    self.lifetime = lifetime ?? 3600
    delegates = fields.object.texts("delegates")
    quotaProjectID = try fields.quotaProjectID()
    name = fields.name
  }

  package var member: IAMMember? { .serviceAccount(target) }
  package var hasLastingSecret: Bool { source.hasLastingSecret }

  package func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    let own = try await source.accessToken(scope: Scope.iam, client)
    var request = HTTPRequest(
      url,
      json: JSONWriter.object { json in
        json.member("delegates", delegates) { $0.put(string: $1) }
        json.member("scope", [scope]) { $0.put(string: $1) }
        json.member("lifetime", "\(lifetime)s")
      })
    request.headers.append(("authorization", "Bearer \(own.value)"))
    if let id = source.quotaProjectID { request.headers.append(("x-goog-user-project", id)) }
    // Not until its expireTime, which is of the server's clock.
    return try await TokenEndpoint(
      client: client, credentials: source.name,
      action: JWTSigner.grant(on: target, to: source.member, through: delegates), attempts: 1
    ).token(request, member: "accessToken", lifetime: Double(lifetime))
  }
}
