import WireSystem

/// Tokens signed locally with a service account key, each with the minimal claims for its call. For
/// backends and tools: an app must not contain the key.
public struct ServiceAccountToken: AuthTokenProvider {
  private let key: ServiceAccountKey
  private let claims: AuthorizationClaims?
  private let audience: String
  private let lifetime: Double
  private let now: @Sendable () -> Double

  /// Creates a provider that signs tokens with a key.
  ///
  /// - Parameters:
  ///   - key: the key that signs the tokens.
  ///   - claims: the claims for all calls; nil derives them from each call
  ///     (``AuthorizationClaims/init(for:)``).
  ///   - audience: the audience of the tokens.
  ///   - lifetime: the lifetime in seconds, 1 to 3600.
  public init(
    key: ServiceAccountKey, claims: AuthorizationClaims? = nil,
    audience: String = ServiceAccountKey.audience,
    lifetime: Double = ServiceAccountKey.longestLifetime
  ) {
    self.init(
      key: key, claims: claims, audience: audience, lifetime: lifetime, now: { WallTime.now })
  }

  init(
    key: ServiceAccountKey, claims: AuthorizationClaims?, audience: String, lifetime: Double,
    now: @escaping @Sendable () -> Double
  ) {
    self.key = key
    self.claims = claims
    self.audience = audience
    self.lifetime = lifetime
    self.now = now
  }

  /// Signs a token for a call.
  ///
  /// - Throws: ``TokenError``; see ``ServiceAccountKey/token(_:audience:lifetime:at:)``.
  public func token(for context: AuthorizationContext) throws(TokenError) -> AuthToken {
    try key.token(
      claims ?? AuthorizationClaims(for: context), audience: audience, lifetime: lifetime, at: now()
    )
  }

  public func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    if claims != nil { return .any }
    // The claims do not depend on the name.
    var context = context
    context.resourceName = ""
    return context
  }
}
