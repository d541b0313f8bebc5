public import Tripwire
import WireGRPC
public import WireGRPCClient
import WireProtobuf
import WireSystem
import WireTLS

/// Tokens with the claims of one call each, which Google signs as a service account. No key is needed.
///
///     let tokens = try SignJWTTokens(
///       account: "rider@my-project.iam.gserviceaccount.com",
///       accessTokens: .applicationDefault())
///
/// The account of the access tokens needs the role Service Account Token Creator on `account`, and the Service Account
/// Credentials API (`iamcredentials.googleapis.com`) must be enabled in the project of the access tokens. Each token is
/// signed by a call of `google.iam.credentials.v1.IAMCredentials/SignJwt`.
public struct SignJWTTokens: AuthTokenProvider {
  /// The address of Google's signer.
  public static let endpoint = "iamcredentials.googleapis.com:443"
  /// Its name in errors.
  static let name = "the signer iamcredentials.googleapis.com"
  /// The longest time for a signature, unless the caller sets another.
  package static let defaultTimeout = Duration.seconds(20)
  /// The time from the renewal of a token to its expiration, in seconds. Calls do not need the signer in that time.
  private static let margin = 720.0

  let signer: JWTSigner
  private let accessTokens: TokenCache
  private let channel: Channel
  private let claims: AuthorizationClaims?
  private let audience: String
  private let lifetime: Double
  private let timeout: Duration
  private let semaphore = AsyncSemaphore(16)

  /// Creates a provider without connecting.
  ///
  /// - Parameters:
  ///   - account: the address of the service account that signs; nil for that of the access tokens.
  ///   - delegates: the accounts between the access token's and this one. Each needs the role Service Account Token
  ///     Creator on the next one, and the last one on `account`. Ignored if `account` is nil and the credentials are of
  ///     the type `impersonated_service_account`, which have their own delegates.
  ///   - accessTokens: the tokens of the calls to the signer, one for all signatures.
  ///   - claims: the claims for all calls; nil derives them from each call
  ///     (`AuthorizationClaims(for:)`).
  ///   - audience: the audience of the tokens.
  ///   - lifetime: the lifetime in seconds, 1 to 3600.
  ///   - configuration: the connection to the signer; nil for one with the ``AccessTokens/trust`` and the
  ///     ``AccessTokens/proxy`` of the access tokens.
  /// - Throws: `CallError` if the configuration is invalid.
  public init(
    account: String?, delegates: [String] = [], accessTokens: AccessTokens,
    claims: AuthorizationClaims? = nil, audience: String = ServiceAccountKey.audience,
    lifetime: Double = ServiceAccountKey.longestLifetime,
    configuration: ChannelConfiguration? = nil
  ) throws(CallError) {
    try self.init(
      account: account, delegates: delegates, accessTokens: accessTokens, claims: claims,
      audience: audience, lifetime: lifetime, endpoint: Self.endpoint,
      configuration
        ?? ChannelConfiguration(
          security: .tls(TLSConfiguration(trust: accessTokens.trust)), proxy: accessTokens.proxy))
  }

  /// - Parameters:
  ///   - timeout: the longest time for a signature.
  ///   - endpoint: the address to connect to.
  package init(
    account: String?, delegates: [String], accessTokens: AccessTokens,
    claims: AuthorizationClaims? = nil, audience: String = ServiceAccountKey.audience,
    lifetime: Double = ServiceAccountKey.longestLifetime, timeout: Duration = defaultTimeout,
    endpoint: String, _ configuration: ChannelConfiguration
  ) throws(CallError) {
    signer = JWTSigner(account: account, delegates: delegates, accessTokens)
    self.accessTokens = TokenCache(signer.accessTokens)
    self.claims = claims
    self.audience = audience
    self.lifetime = lifetime
    self.timeout = timeout
    channel = try Channel(target: endpoint, configuration: configuration)
  }

  /// Requests a signed token. The signer has 20 s to respond.
  ///
  /// - Throws: `CallError` of the signer, or UNAVAILABLE if it cannot be reached; `TokenError` for a claim that Fleet
  ///   Engine would reject, or a response that is not the token; CancellationError.
  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    try await semaphore.wait()
    defer { semaphore.signal() }
    if let failure = signer.outage.withLock({ $0.failure(at: TokenTime.now.uptime) }) {
      throw failure
    }
    let account = try await signer.account()
    let payload = try (claims ?? AuthorizationClaims(for: context)).payload(
      issuer: account, audience: audience, lifetime: lifetime, at: WallTime.now)
    let request = SignJwtRequest(
      name: JWTSigner.name(of: account), delegates: signer.delegates, payload: payload)
    let response: SignJwtResponse
    do throws(CallError) {
      response = try await sign(request)
      signer.outage.withLock { $0.succeed() }
    } catch {
      let failure = signer.failure(error, account: account)
      if error.code == .unavailable || error.code == .deadlineExceeded {
        signer.outage.withLock { $0.fail(failure, at: TokenTime.now.uptime) }
      }
      throw failure
    }
    var token = try checked(response, payload)
    token.renewalMargin = Self.margin
    return token
  }

  private func sign(_ request: SignJwtRequest) async throws(CallError) -> SignJwtResponse {
    let method = IAMCredentialsMethods.signJwt
    var options = channel.complete(CallOptions(timeout: timeout), for: method)
    options.metadata = requestMetadata(
      routing: method.routing?.parameter(for: request), resourceName: nil, own: options.metadata)
    return try await withToken(of: accessTokens, on: channel, for: .any, options) {
      attempt throws(CallError) in
      try await attempt.send(request.serializedBytes(), to: method.path, on: channel)
    }.decode().message
  }

  /// The credentials that ask for signatures.
  package var credentials: any GoogleCredentials { signer.accessTokens.credentials }

  /// The identities that ask and that sign, as far as they are known, one fact on each line.
  package var identity: [String] {
    signer.accessTokens.identity
      + signer.delegates.map { "delegate: \(JWTSigner.address(in: $0))" }
      + (signer.knownAccount.map { ["signs as: \($0)"] } ?? [])
  }

  /// The claims alone decide, so that calls with the same ones share a token.
  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    if claims != nil { return .any }
    var context = context
    context.resourceName = ""
    return context
  }

  /// Checks that the response is a JWT with the claims that were sent.
  private func checked(
    _ response: SignJwtResponse, _ payload: String
  ) throws(TokenError) -> AuthToken {
    func wrong(_ problem: String) -> TokenError {
      .endpointFailed(
        place: Self.name,
        reason: TokenError.Reason(problem, action: "check that its address leads to Google"))
    }
    guard let token = try? JSONWebToken(response.signedJwt) else { throw wrong("sent no JWT") }
    guard let wanted = try? Struct(jsonUTF8Bytes: Array(payload.utf8)), token.claims == wanted
    else {
      throw wrong("signed other claims than those that it got")
    }
    return AuthToken(response.signedJwt)
  }
}

extension SignJWTTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description without any credential.
  public var description: String { "SignJWTTokens" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
