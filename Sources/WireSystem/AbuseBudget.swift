/// A limit on purposeless input from a peer, such as empty frames or TLS KeyUpdates.
///
/// Each such item costs credit, useful traffic earns some, and time restores it. Heavy traffic and
/// idle connections pass, and a flood uses the credit up. The clock is read only then.
package struct AbuseBudget {
  private let burst: Int
  private let refillPerSecond: Int
  private var credit: Int
  private var lastRefill: ContinuousClock.Instant

  /// - Parameters:
  ///   - burst: the initial and largest credit.
  ///   - refillPerSecond: the credit that a second restores.
  package init(burst: Int, refillPerSecond: Int, now: ContinuousClock.Instant) {
    self.burst = burst
    self.refillPerSecond = refillPerSecond
    credit = burst
    lastRefill = now
  }

  package mutating func charge(_ cost: Int = 1) { credit -= cost }

  package mutating func earn(_ gain: Int) { credit = min(credit + gain, burst) }

  /// Returns whether the connection must be closed.
  package mutating func isExhausted(now: () -> ContinuousClock.Instant) -> Bool {
    guard credit < 0 else { return false }
    let time = now()
    let seconds = Int(clamping: (time - lastRefill).components.seconds)
    let refill = min(seconds, burst) * refillPerSecond
    guard refill > 0 else { return true }
    lastRefill = time
    credit = min(credit + refill, burst)
    return credit < 0
  }
}
