import WireSystem

/// Tokens for a Google API other than Fleet Engine, signed locally with a service account key: without claims about
/// resources.
package struct SelfSignedTokens: AuthTokenProvider {
  private let key: ServiceAccountKey
  private let audience: String

  package init(key: ServiceAccountKey, audience: String) {
    (self.key, self.audience) = (key, audience)
  }

  package func token(for context: AuthorizationContext) throws(TokenError) -> AuthToken {
    try key.token(audience: audience, at: WallTime.now)
  }

  package func sharedContext(for context: AuthorizationContext) -> AuthorizationContext { .any }
}
