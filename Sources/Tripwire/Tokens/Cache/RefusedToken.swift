import WireGRPC

/// A token that the server refused in a context, and when it may be sent again.
struct RefusedToken {
  /// How long a refused token is not sent while its source may return another, in seconds. A server
  /// that refused a valid token may recover, and a source that returns the same token for this long
  /// has no other.
  static let lifetime = 300.0

  let value: String
  /// The server's message.
  let reason: String
  /// How long the token is not sent, in seconds, and the uptime at which that ends.
  let pause: Double
  let end: Double

  init(_ token: AuthToken, _ reason: String, pause: Double, now: TokenTime) {
    value = token.value
    self.reason = reason
    self.pause = pause
    end = now.uptime + pause
  }

  func stands(at now: TokenTime) -> Bool { now.uptime < end }

  func error(_ rest: String, retryAfter: Double?, isOnly: Bool = false) -> TokenError {
    let quotedReason = reason.isEmpty ? "" : " (\"\(reason.shortened(to: 200))\")"
    return .refused(
      reason: "the server refused the token\(quotedReason)\(rest)",
      retryAfter: retryAfter.map { .seconds($0) }, isOnly: isOnly)
  }
}

/// When the source of refused tokens may be asked for another: 2, 4, 8 … 60 s after the last time.
struct RefusalBackoff {
  static let first = 2.0
  static let longest = 60.0

  let pause: Double
  /// The uptime in seconds.
  let next: Double
  /// Whether the source returned a refused token again.
  let isSameToken: Bool

  init(after last: RefusalBackoff?, isSameToken: Bool, now: TokenTime) {
    pause = Self.pause(after: last?.pause)
    next = now.uptime + pause
    self.isSameToken = isSameToken
  }

  static func pause(after last: Double?) -> Double {
    last.map { min(2 * $0, longest) } ?? first
  }

  /// Whether the last refusal is so old that the backoff starts again with the shortest pause.
  func isOver(at now: TokenTime) -> Bool { now.uptime >= next + Self.longest }
}
