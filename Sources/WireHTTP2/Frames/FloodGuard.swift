/// A cheap limit on frames that lead nowhere: empty DATA, WINDOW_UPDATE, PING, SETTINGS,
/// CONTINUATION, unknown types, 1xx answers and resets (CVE-2019-9511 to 9518, 2023-44487,
/// 2024-27316, 2025-8671). nghttp2 1.52 itself counts only the acknowledgements it owes.
///
/// Every frame costs credit and every step of a call earns some, so traffic however heavy
/// passes, while a flood runs dry; time gives credit back too, so that an idle connection
/// with pings lives on. The clock is read only when the credit is gone.
struct FloodGuard {
  static let burst = 10_000
  static let refillPerSecond = 100
  static let resetCost = 10
  static let informationalCost = 100
  static let progressEarns = 4

  private var credit = Self.burst
  private var lastRefill: ContinuousClock.Instant

  init(now: ContinuousClock.Instant) { lastRefill = now }

  /// A frame came in, or we had to reset a stream because of one.
  mutating func charge(_ cost: Int = 1) { credit -= cost }

  /// Body bytes or headers came in or went out.
  mutating func earn() { credit = min(credit + Self.progressEarns, Self.burst) }

  /// Whether the peer has to be cut off.
  mutating func isExhausted(now: () -> ContinuousClock.Instant) -> Bool {
    guard credit < 0 else { return false }
    let time = now()
    let seconds = Int(clamping: (time - lastRefill).components.seconds)
    let refill = min(seconds, Self.burst) * Self.refillPerSecond
    guard refill > 0 else { return true }
    lastRefill = time
    credit = min(credit + refill, Self.burst)
    return credit < 0
  }
}
