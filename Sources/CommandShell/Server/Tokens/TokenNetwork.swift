import CommandLine
package import Tripwire
import TripwireGoogleAuth

/// The connections to token endpoints and to Google's signer. Of the options for the connection to the called server, only
/// --cacert, --connect-to and --proxy apply to them.
package struct TokenNetwork: Sendable {
  /// The address of the signer.
  private let signer: String
  private let configuration: ChannelConfiguration
  private let trust: TLSConfiguration.Trust
  private let connectTo: [String]
  private let trace: (@Sendable (String) -> Void)?
  let environment: Environment
  /// The API that gets the tokens; nil for Fleet Engine.
  let api: GoogleAPI?
  /// The longest time for a signature.
  private let signatureTimeout: Duration
  /// The longest time that a program runs.
  let programTimeout: Duration

  /// - Parameters:
  ///   - output: with -v, requests and calls are traced.
  ///   - timeout: the value of --timeout.
  package init(
    _ connection: ConnectionOptions, _ tls: TLSOptions, _ console: Console, _ output: OutputOptions,
    timeout: Duration? = nil
  ) {
    signatureTimeout = max(SignJWTTokens.defaultTimeout, timeout ?? .zero)
    programTimeout = max(CommandCredentials.defaultTimeout, timeout ?? .zero)
    trust = tls.trust
    api = connection.api
    connectTo = connection.connectTo.map(\.text)
    trace = output.isVerbose ? { @Sendable in console.error("* \(escaped($0))\n") } : nil
    let (address, authority) = connection.withoutAuthority.place(of: SignJWTTokens.endpoint)
    signer = address
    var configuration = ChannelConfiguration(
      security: .tls(TLSConfiguration(trust: trust)), proxy: connection.proxy,
      authority: authority,
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

  /// Returns the identity with which tokens are requested, as far as it is known, one fact on each line: "access token: of
  /// the credentials in FILE".
  package static func identity(of provider: any AuthTokenProvider) -> [String] {
    switch provider {
    case let tokens as AccessTokens: tokens.identity
    case let tokens as SignJWTTokens: tokens.identity
    default: []
    }
  }

  /// Returns the members of IAM behind the tokens of a provider.
  static func principals(of provider: any AuthTokenProvider) -> TokenPrincipals {
    switch provider {
    case let tokens as AccessTokens: tokens.principals
    case let tokens as SignJWTTokens: tokens.principals
    default: TokenPrincipals()
    }
  }

  /// Whether Google refuses most calls with these tokens, because they are charged to no project.
  package static func lacksQuotaProject(_ provider: any AuthTokenProvider) -> Bool {
    (provider as? AccessTokens)?.lacksQuotaProject == true
  }

  func accessTokens(
    _ credentials: any GoogleCredentials, quotaProjectID: String?
  ) -> AccessTokens {
    var tokens = AccessTokens(credentials, quotaProjectID: quotaProjectID)
    tokens.trust = trust
    tokens.proxy = configuration.proxy
    tokens.client.connectTo = connectTo
    tokens.client.trace = trace
    return tokens
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
        lifetime: lifetime, timeout: signatureTimeout, endpoint: signer, configuration)
    ) { (error: CallError) in
      TokenError.endpointFailed(
        place: SignJWTTokens.endpoint,
        reason: TokenError.Reason(
          "cannot be called: \(error.message)", action: "check --cacert, --proxy and --connect-to",
          isLocal: true))
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
