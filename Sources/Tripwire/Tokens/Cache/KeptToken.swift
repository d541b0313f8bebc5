/// A token that is kept, and for how long it is good.
struct KeptToken {
  /// How long before it expires a token is renewed, in seconds.
  static let margin = 300.0
  /// How long a token is kept that does not say when it expires, in seconds.
  static let unstatedLifetime = 300.0

  let token: AuthToken
  /// On the wall clock.
  private let expiration: Double
  /// The same on the clock that never steps: a wall clock that is set back does not prolong it.
  private let end: Double
  private let margin: Double
  /// Whether it was issued in the future already when it came: then this machine's clock is late, and
  /// a new token would be no better.
  private let wasEarly: Bool

  init(_ token: AuthToken, at now: TokenTime) {
    self.token = token
    expiration = token.expiration ?? now.wall + Self.unstatedLifetime
    let lifetime = expiration - now.wall
    end = now.uptime + lifetime
    margin = lifetime > Self.margin ? Self.margin : 0
    wasEarly = token.isIssued(after: now.wall)
  }

  /// How many seconds it is good for; 0 or less when it is not.
  func lifetime(at now: TokenTime) -> Double {
    guard wasEarly || !token.isIssued(after: now.wall) else { return 0 }
    return min(expiration - now.wall, end - now.uptime)
  }

  func isGood(at now: TokenTime) -> Bool { lifetime(at: now) > 0 }

  /// Whether it is about to expire.
  func needsRenewal(at now: TokenTime) -> Bool { lifetime(at: now) <= margin }
}

extension AuthToken {
  /// Whether it says that it was issued later than the clock shows, by more than servers allow.
  fileprivate func isIssued(after time: Double) -> Bool {
    issued.map { $0 > time + JSONWebToken.allowedSkew } ?? false
  }
}
