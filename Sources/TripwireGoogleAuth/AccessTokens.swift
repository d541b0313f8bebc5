public import Tripwire
public import WireGRPCClient
public import WireTLS

/// OAuth access tokens of Google Cloud credentials, with which a back end calls Fleet Engine.
///
///     let fleet = try FleetServices(
///       providerID: "my-project", tokenProvider: try AccessTokens.applicationDefault())
///
/// Such a token grants what the roles of its account in the project allow, for example Fleet Engine On-demand Admin.
/// Never give it to an app: it is valid for every API that the account may use. For the tokens of riders and drivers,
/// see ``SignJWTTokens``.
///
/// One token serves all calls. Its scope is `https://www.googleapis.com/auth/cloud-platform`.
public struct AccessTokens: AuthTokenProvider {
  package private(set) var credentials: any GoogleCredentials
  private let givenQuotaProjectID: String?
  package var client = HTTPClient()
  /// A provider may be asked without a cache.
  private let semaphore = AsyncSemaphore(16)

  /// The CA certificates to which the chains of token endpoints must lead; those of the system by default.
  ///
  /// PEM text in memory needs libcurl with OpenSSL, as in most distributions. Programs, such as gcloud, have settings of
  /// their own.
  public var trust: TLSConfiguration.Trust {
    get { client.trust }
    set { client.trust = newValue }
  }

  /// The source of the HTTP proxy to token endpoints; the environment by default.
  ///
  /// Endpoints on this machine and the metadata server are reached without a proxy.
  public var proxy: ChannelConfiguration.ProxySource {
    get { client.proxy }
    set { client.proxy = newValue }
  }

  package init(_ credentials: any GoogleCredentials, quotaProjectID: String? = nil) {
    self.credentials = credentials
    givenQuotaProjectID = quotaProjectID
  }

  /// Those with which the account of the credentials is asked for signatures.
  var ofSource: AccessTokens {
    var tokens = self
    tokens.credentials = SigningCredentials(own: credentials)
    return tokens
  }

  /// That of a credentials file may change.
  private var quotaProjectID: String? { givenQuotaProjectID ?? credentials.quotaProjectID }

  /// Finds the credentials of this machine (Application Default Credentials): the file that
  /// `GOOGLE_APPLICATION_CREDENTIALS` names, that of `gcloud auth application-default login`, or the metadata server of
  /// Compute Engine, GKE and Cloud Run. A file is read again when it changes, for example after a new login.
  ///
  /// - Parameter quotaProjectID: the quota project, the Cloud project for the billing and the quotas of the calls; nil
  ///   for that in the variable `GOOGLE_CLOUD_QUOTA_PROJECT`, or of the credentials.
  /// - Throws: `TokenError` if there are none, or their file cannot be used.
  public static func applicationDefault(
    quotaProjectID: String? = nil
  ) throws(TokenError) -> AccessTokens {
    guard let found = try ApplicationDefaultCredentials().find() else { throw .noCredentials }
    return AccessTokens(
      found, quotaProjectID: quotaProjectID ?? Environment.process["GOOGLE_CLOUD_QUOTA_PROJECT"])
  }

  /// Reads a credentials file of the type `authorized_user`, `service_account`, `impersonated_service_account`,
  /// `external_account` or `external_account_authorized_user`.
  ///
  /// The file is read again when it changes, for example after a new login.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - quotaProjectID: the quota project; nil for that of the credentials.
  /// - Throws: `TokenError` if the file cannot be read or used.
  public init(path: String, quotaProjectID: String? = nil) throws(TokenError) {
    self.init(try CredentialsFile.credentials(path: path), quotaProjectID: quotaProjectID)
  }

  /// Reads credentials in JSON, for example from a secret manager.
  ///
  /// - Parameters:
  ///   - json: the content of a credentials file.
  ///   - origin: its source, for errors.
  ///   - quotaProjectID: the quota project; nil for that of the credentials.
  /// - Throws: `TokenError` if it cannot be used.
  public init(
    json: [UInt8], origin: String = "the given JSON", quotaProjectID: String? = nil
  ) throws(TokenError) {
    self.init(
      try CredentialsFile.credentials(json: json, origin: origin), quotaProjectID: quotaProjectID)
  }

  /// Tokens of the service account of this machine, from the metadata server of Compute Engine, GKE and Cloud Run.
  ///
  /// The server is `metadata.google.internal`, or the `HOST[:PORT]` in `GCE_METADATA_HOST`. No request is sent until a
  /// token is needed.
  public static var metadataServer: AccessTokens { AccessTokens(MetadataServer()) }

  /// Tokens of the account that is logged in to gcloud.
  ///
  /// Runs `gcloud auth print-access-token` for each token; gcloud must be in `PATH`.
  ///
  /// - Parameter quotaProjectID: the quota project. Without it, Google refuses most calls with user credentials.
  public static func gcloud(quotaProjectID: String? = nil) -> AccessTokens {
    AccessTokens(CommandCredentials.gcloud(), quotaProjectID: quotaProjectID)
  }

  /// Requests a token. At most 16 requests run at the same time.
  ///
  /// - Throws: `CallError` (UNAVAILABLE) if a later request may succeed; `TokenError` if not; CancellationError.
  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    try await semaphore.wait()
    defer { semaphore.signal() }
    var token = try await credentials.accessToken(scope: Scope.cloudPlatform, client)
    token.quotaProjectID = quotaProjectID
    return token
  }

  /// Whether the tokens are of user credentials without a quota project, with which Google refuses most calls. False
  /// for gcloud, whose kind of account is unknown.
  package var lacksQuotaProject: Bool {
    (credentials.current as? UserCredentials)?.isWorkforce == false && quotaProjectID == nil
  }

  /// The identity that the tokens are for, as far as it is known, one fact on each line.
  package var identity: [String] {
    ["access token: of \(credentials.name)"]
      + [
        credentials.member.map { "account: \($0.address)" },
        quotaProjectID.map { "quota project: \($0)" },
      ].compactMap(\.self)
  }

  /// One context for all calls: a token is for the whole project.
  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext { .any }
}

extension AccessTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description without any credential.
  public var description: String { "AccessTokens(\(credentials.name))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
