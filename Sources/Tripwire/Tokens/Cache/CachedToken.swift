/// A cached token and its remaining lifetime.
struct CachedToken {
  /// How long a token without a stated expiration is kept, in seconds.
  static let unstatedLifetime = 300.0

  let token: AuthToken
  /// The expiration on the wall clock.
  private let expiration: Double
  /// The expiration as uptime, so that setting the wall clock back does not prolong the lifetime.
  private let end: Double
  /// The time from its renewal to its expiration, in seconds.
  private let margin: Double
  /// Whether the token was issued in the future when it was fetched. Then this machine's clock is
  /// slow, and a new token would not help.
  private let wasEarly: Bool

  init(_ token: AuthToken, at now: TokenTime) {
    self.token = token
    expiration = token.expiration ?? now.wall + Self.unstatedLifetime
    let lifetime = expiration - now.wall
    end = now.uptime + lifetime
    margin = min(token.renewalMargin, lifetime / 5)
    wasEarly = token.isIssued(after: now.wall)
  }

  /// The remaining lifetime in seconds; 0 or less if the token is not valid.
  func lifetime(at now: TokenTime) -> Double {
    guard wasEarly || !token.isIssued(after: now.wall) else { return 0 }
    return min(expiration - now.wall, end - now.uptime)
  }

  func isValid(at now: TokenTime) -> Bool { lifetime(at: now) > 0 }

  /// Whether the token expires soon.
  func needsRenewal(at now: TokenTime) -> Bool { lifetime(at: now) <= margin }
}

extension AuthToken {
  /// Whether `iat` is later than the given time by more than servers allow.
  fileprivate func isIssued(after time: Double) -> Bool {
    issued.map { $0 > time + JSONWebToken.allowedSkew } ?? false
  }
}
