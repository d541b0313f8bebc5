import WireGRPC

/// A token that the server refused in a context. It is not sent for a while, because it would be refused again. A server
/// that refused a valid token may recover, so it is not held back for good.
struct RefusedToken {
  let value: String
  /// The server's message.
  let reason: String
  /// The uptime of the refusal, in seconds.
  let time: Double
  /// How long a token that needs no fetch is not sent, in seconds.
  let pause: Double
  /// Whether its source had to be asked for another, and returned this one again after a pause.
  var isReleased = false

  /// - Parameter last: the last refusal of the same token in the same context.
  init(_ token: AuthToken, _ reason: String, after last: RefusedToken?, now: TokenTime) {
    value = token.value
    self.reason = reason
    time = now.uptime
    let isRecent = last.map { now.uptime < $0.end + RefusalBackoff.longest } ?? false
    pause = RefusalBackoff.pause(after: isRecent ? last?.pause : nil)
  }

  /// The uptime, in seconds, at which a token that needs no fetch is sent again.
  var end: Double { time + pause }

  func error(_ rest: String, retryAfter: Double?, isOnly: Bool = false) -> TokenError {
    let quotedReason = reason.isEmpty ? "" : " (\"\(reason.shortened(to: 200))\")"
    return .refused(
      reason: "the server refused the token\(quotedReason)\(rest)",
      retryAfter: retryAfter.map { .seconds($0) }, isOnly: isOnly)
  }
}

/// When the source of refused tokens may be asked for another: 2, 4, 8 … 60 s after the last time. If it returns the same
/// token then, that token is sent again.
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
