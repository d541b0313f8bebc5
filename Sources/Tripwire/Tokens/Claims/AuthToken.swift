/// A JWT or an OAuth access token, and how long it lasts. Nothing prints it.
public struct AuthToken: Sendable, Hashable {
  /// What follows "Bearer " in the header.
  public let value: String
  /// When it expires, in seconds since 1970-01-01T00:00:00Z; nil when nobody says.
  public let expiration: Double?
  /// When it was issued (`iat` of a JWT, RFC 7519 §4.1.6), in seconds since 1970; nil when it does not
  /// say.
  package let issued: Double?

  /// - Parameters:
  ///   - value: without "Bearer ".
  ///   - expiration: in seconds since 1970, if whoever gave the token said so. If it is a JWT that
  ///     says so itself (`exp`, RFC 7519 §4.1.4), the earlier of the two counts.
  public init(_ value: String, expiration: Double? = nil) {
    self.value = value
    let times = JSONWebToken.times(of: value)
    issued = times.issued
    self.expiration = [expiration, times.expiration]
      .compactMap { $0 }.filter { !$0.isNaN }.min()
  }
}

extension AuthToken: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension AuthToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Does not show the token.
  public var description: String { "AuthToken(<redacted>)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
