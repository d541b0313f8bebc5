public import Tripwire

/// OAuth access tokens of Google Cloud credentials, with which a back end calls Fleet Engine.
///
///     let fleet = try FleetServices(
///       providerID: "my-project", tokenProvider: try AccessTokens.applicationDefault())
///
/// What such a token may do depends on the roles of its account in the project, such as Fleet Engine On-demand Admin.
/// It is never for an app, because it opens everything that its account may use. For the tokens of riders and drivers,
/// see ``SignJWTTokens``.
///
/// One token serves all calls. Its scope is `https://www.googleapis.com/auth/cloud-platform`.
public struct AccessTokens: AuthTokenProvider {
  package let credentials: any GoogleCredentials
  let client: HTTPClient
  let quotaProjectID: String?

  package init(
    _ credentials: any GoogleCredentials, quotaProjectID: String? = nil,
    client: HTTPClient = HTTPClient()
  ) {
    self.credentials = credentials
    self.quotaProjectID = quotaProjectID ?? credentials.quotaProjectID
    self.client = client
  }

  /// Finds the credentials of this machine (Application Default Credentials): the file that
  /// `GOOGLE_APPLICATION_CREDENTIALS` names, that of `gcloud auth application-default login`, or the metadata server of
  /// Compute Engine, GKE and Cloud Run.
  ///
  /// - Parameter quotaProjectID: the project that the calls are charged to; nil for that in the variable
  ///   `GOOGLE_CLOUD_QUOTA_PROJECT`, or of the credentials.
  /// - Throws: `TokenError` if there are none, or their file cannot be used.
  public static func applicationDefault(
    quotaProjectID: String? = nil
  ) throws(TokenError) -> AccessTokens {
    guard let found = try ApplicationDefaultCredentials().find() else { throw .noCredentials }
    return AccessTokens(
      found, quotaProjectID: quotaProjectID ?? Environment.process["GOOGLE_CLOUD_QUOTA_PROJECT"])
  }

  /// Reads a credentials file: of `gcloud auth application-default login`, of a workload identity pool, or the key of a
  /// service account.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - quotaProjectID: the project that the calls are charged to; nil for that of the credentials.
  /// - Throws: `TokenError` if the file cannot be read or used.
  public init(path: String, quotaProjectID: String? = nil) throws(TokenError) {
    self.init(try CredentialsFile.credentials(path: path), quotaProjectID: quotaProjectID)
  }

  /// Reads credentials in JSON, for example from a secret manager.
  ///
  /// - Parameters:
  ///   - json: the content of a credentials file.
  ///   - origin: its source, for errors.
  ///   - quotaProjectID: the project that the calls are charged to; nil for that of the credentials.
  /// - Throws: `TokenError` if it cannot be used.
  public init(
    json: [UInt8], origin: String = "the credentials", quotaProjectID: String? = nil
  ) throws(TokenError) {
    self.init(
      try CredentialsFile.credentials(json: json, origin: origin), quotaProjectID: quotaProjectID)
  }

  /// The account of the machine, of which the metadata server of Compute Engine, GKE and Cloud Run gives tokens. Its
  /// address is `metadata.google.internal`, or that in `GCE_METADATA_HOST`.
  public static var metadataServer: AccessTokens { AccessTokens(MetadataServer()) }

  /// The account that is logged in to gcloud, which must be in `PATH`.
  ///
  /// - Parameter quotaProjectID: the project that the calls are charged to. Without it, Google refuses most calls of a
  ///   person.
  public static func gcloud(quotaProjectID: String? = nil) -> AccessTokens {
    AccessTokens(CommandCredentials.gcloud, quotaProjectID: quotaProjectID)
  }

  /// Requests a token.
  ///
  /// - Throws: `CallError` (UNAVAILABLE) if a later request may succeed; `TokenError` if not; CancellationError.
  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    var token = try await credentials.accessToken(scope: Scope.cloudPlatform, client)
    token.quotaProjectID = quotaProjectID
    return token
  }

  /// Whether Google refuses most calls, because they are charged to no project: those of a person.
  package var lacksQuotaProject: Bool {
    let present = (credentials as? CredentialsOfFile)?.current ?? credentials
    return present is AuthorizedUser && quotaProjectID == nil
  }

  /// The identity that the tokens are for, one fact on each line.
  package var identity: [String] {
    get async {
      var account = try? await credentials.account(client)
      if account == nil { account = await credentials.person() }
      return ["access token: of \(credentials.name)"] + (account.map { ["account: \($0)"] } ?? [])
        + (quotaProjectID.map { ["quota project: \($0)"] } ?? [])
    }
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
