/// A token that never changes, for tests, tools and calls that end before it expires.
public struct FixedToken: ImmediateTokenProvider {
  private let token: AuthToken

  /// Creates a provider of one token.
  ///
  /// - Throws: ``TokenError`` if the token is empty or not valid in a header.
  public init(_ token: String) throws(TokenError) {
    try TokenError.check(token)
    self.token = AuthToken(token)
  }

  /// Returns the same token for every context.
  public func token(for context: AuthorizationContext) -> AuthToken { token }

  package func immediateToken(for context: AuthorizationContext) -> AuthToken { token }

  package var isFixed: Bool { true }

  package var reasonForNoOther: String { "there is no other token" }
}

extension FixedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description without the token.
  public var description: String { "FixedToken(<redacted>)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
