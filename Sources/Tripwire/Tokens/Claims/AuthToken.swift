import WireGRPC

/// A JWT or an OAuth access token with its expiration. Its descriptions do not contain the token.
public struct AuthToken: Sendable, Hashable {
  /// The token, as sent after "Bearer " in the header.
  public let value: String
  /// The expiration in seconds since 1970-01-01T00:00:00Z; nil if it is unknown.
  public let expiration: Double?
  /// When the token was issued (`iat`, RFC 7519 section 4.1.6), in seconds since 1970; nil if it is
  /// unknown.
  let issued: Double?
  /// The project that calls with this token are charged to, in the header `x-goog-user-project`; nil for that of the
  /// token's account.
  public var quotaProjectID: String?
  /// The longest time from the renewal of the token to its expiration, in seconds.
  package var renewalMargin = 300.0

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - value: the token without "Bearer ".
  ///   - expiration: the expiration in seconds since 1970, if known. If the token is a JWT with an
  ///     `exp` (RFC 7519 section 4.1.4), the earlier of the two applies.
  public init(_ value: String, expiration: Double? = nil) {
    self.value = value
    let times = JSONWebToken.times(of: value)
    issued = times.issued
    self.expiration = [expiration, times.expiration]
      .compactMap { $0 }.filter { !$0.isNaN }.min()
  }
}

extension AuthToken {
  /// Checks that the token and its quota project may be sent in headers.
  func check() throws(TokenError) {
    try TokenError.check(value)
    if let id = quotaProjectID, id.isEmpty || !id.hasOnly(octets: 0x21...0x7e) {
      throw .malformed(reason: "has an invalid quota project ID")
    }
  }
}

extension AuthToken: ExpressibleByStringLiteral {
  /// Creates a token from a literal without "Bearer ".
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension AuthToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description without the token.
  public var description: String { "AuthToken(<redacted>)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
