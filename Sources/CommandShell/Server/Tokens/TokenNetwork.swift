import CommandLine
package import Tripwire
import TripwireGoogleAuth

/// The connections to token endpoints and to Google's signer. Of the options for the connection to the called server, only
/// --cacert, --connect-to and --proxy apply to them.
package struct TokenNetwork: Sendable {
  let client: HTTPClient
  /// The address of the signer.
  let signer: String
  let configuration: ChannelConfiguration
  let environment: Environment

  /// - Parameter output: with -v, requests and calls are traced.
  package init(
    _ connection: ConnectionOptions, _ tls: TLSOptions, _ console: Console, _ output: OutputOptions
  ) {
    var client = HTTPClient()
    client.trustFile = tls.trustFile
    client.connectTo = connection.connectTo.map(\.text)
    client.proxy = connection.proxy
    if output.isVerbose { client.trace = { console.error("* \(escaped($0))\n") } }
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
    if output.isVerbose {
      // The times of --timing are those of the calls of the command.
      var output = output
      output.showsTiming = false
      configuration.trace = TraceLog(output, console)?.write
    }
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

  /// Whether Google refuses most calls with these tokens, because they are charged to no project.
  package static func lacksQuotaProject(_ provider: any AuthTokenProvider) -> Bool {
    (provider as? AccessTokens)?.lacksQuotaProject == true
  }

  func accessTokens(
    _ credentials: any GoogleCredentials, quotaProjectID: String?
  ) -> AccessTokens {
    AccessTokens(credentials, quotaProjectID: quotaProjectID, client: client)
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
