import WireGRPC

/// A token that the server refused for a context, and until when it is not sent again.
struct RefusedToken {
  /// How long a refused token is not sent while its source can return another, in seconds. A server
  /// that refused a good token recovers; a source that returns the same one for this long has no other.
  static let lifetime = 300.0

  let value: String
  /// Why, in the server's words.
  let reason: String
  /// How long it is not sent, and until which uptime, in seconds.
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
    let said = reason.isEmpty ? "" : " (\"\(reason.shortened(to: 200))\")"
    return .refused(
      reason: "the server refused the token\(said)\(rest)",
      retryAfter: retryAfter.map { .seconds($0) }, isOnly: isOnly)
  }
}

/// When the source of refused tokens may be asked for another: 2, 4, 8 … 60 s after the last time.
struct RefusalBackoff {
  static let first = 2.0
  static let longest = 60.0

  let pause: Double
  /// In seconds of uptime.
  let next: Double
  /// Whether the source returned a refused token once more.
  let isSameToken: Bool

  init(after last: RefusalBackoff?, isSameToken: Bool, now: TokenTime) {
    pause = Self.pause(after: last?.pause)
    next = now.uptime + pause
    self.isSameToken = isSameToken
  }

  static func pause(after last: Double?) -> Double {
    last.map { min(2 * $0, longest) } ?? first
  }

  /// Whether it is so long ago that the next refusal is the first again.
  func isOver(at now: TokenTime) -> Bool { now.uptime >= next + Self.longest }
}
