package import Tripwire
import TripwireGoogleAuth

/// The connections to Google's servers of tokens. The options for the connection to the called server apply to them,
/// too, except those that make it less safe.
package struct TokenNetwork: Sendable {
  let client: HTTPClient
  /// The address of the signer.
  let signer: String
  let configuration: ChannelConfiguration
  let environment: Environment

  /// - Parameter trace: called with a line for -v.
  package init(
    _ connection: ConnectionOptions, _ tls: TLSOptions, _ console: Console,
    _ trace: @escaping @Sendable (String) -> Void
  ) {
    var client = HTTPClient()
    client.trustFile = tls.trustFile
    client.connectTo = connection.connectTo.map(\.text)
    client.proxy =
      switch connection.proxy {
      case .environment: .environment
      case .none: .none
      case .url(let url): .url(url)
      }
    client.trace = trace
    self.client = client
    var security = TLSConfiguration()
    if let file = tls.trustFile { security.trust = .file(file) }
    let (address, authority) = connection.withoutAuthority.place(of: SignJWTTokens.endpoint)
    signer = address
    var configuration = ChannelConfiguration(
      security: .tls(security), proxy: connection.proxy, authority: authority,
      userAgentPrefix: "tripwire-cli/\(libraryVersion)", failFast: true)
    configuration.loop = console.loop
    configuration.redactor = console.redactor
    self.configuration = configuration
    environment = Environment(console.environment)
  }

  /// Returns the identity with which tokens are requested, one fact on each line: "access token: of the credentials in
  /// FILE".
  package static func identity(of provider: any AuthTokenProvider) async -> [String] {
    switch provider {
    case let tokens as AccessTokens: await tokens.identity
    case let tokens as SignJWTTokens: await tokens.identity
    default: []
    }
  }

  func accessTokens(
    _ credentials: any GoogleCredentials, quotaProjectID: String?
  ) -> AccessTokens {
    AccessTokens(
      credentials,
      quotaProjectID: quotaProjectID ?? credentials.quotaProjectID
        ?? environment["GOOGLE_CLOUD_QUOTA_PROJECT"], client: client)
  }

  /// - Parameter accounts: the account that signs, or `default`, after its delegates.
  func signed(
    _ accounts: [String], _ accessTokens: AccessTokens, claims: AuthorizationClaims? = nil,
    lifetime: Double = ServiceAccountKey.longestLifetime
  ) throws(TokenError) -> SignJWTTokens {
    try mapError(
      SignJWTTokens(
        account: accounts.last == TokenSource.ownAccount ? nil : accounts.last,
        delegates: Array(accounts.dropLast()), accessTokens: accessTokens, claims: claims,
        lifetime: lifetime, endpoint: signer, configuration)
    ) { (error: CallError) in
      TokenError.endpointFailed(
        place: SignJWTTokens.endpoint,
        reason: TokenError.Reason(
          "cannot be called: \(error.message)", action: "check --cacert, --proxy and --connect-to"))
    }
  }
}

extension ConnectionOptions {
  /// Without --authority, which names the called server.
  fileprivate var withoutAuthority: ConnectionOptions {
    var options = self
    options.authority = nil
    return options
  }
}
