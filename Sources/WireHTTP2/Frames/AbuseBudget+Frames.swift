import WireSystem

extension AbuseBudget {
  /// The budget of a session for frames without progress: empty DATA, WINDOW_UPDATE, PING, SETTINGS,
  /// CONTINUATION, unknown types, 1xx responses and resets (CVE-2019-9511 to 9518, 2023-44487,
  /// 2024-27316, 2025-8671). nghttp2 1.52 itself counts only the acknowledgements it owes.
  init(framesSince now: ContinuousClock.Instant) {
    self.init(burst: 10_000, refillPerSecond: 100, now: now)
  }

  /// The cost of a stream that is reset, instead of 1.
  static let resetCost = 10
  static let informationalCost = 100
  /// The gain from body bytes or headers in either direction.
  static let progress = 4
}
