/// Decides when a channel opens another connection because the present ones are full (similar to gRFC
/// A105). Knows no clock.
///
/// A short wait is not a reason: streams become free all the time, and a connection costs handshakes. A
/// queue that stays non-empty for a while shows that the connections cannot serve the calls. Either
/// calls arrive faster than they end, or streams stay open for long. One connection is opened at a
/// time. If it fails or closes without having answered a call, the next one waits for the backoff.
struct ConnectionGrowth: Sendable {
  /// The time for which calls must wait without interruption.
  static let requiredWait = Duration.milliseconds(50)

  /// The maximum number of connections.
  let limit: Int
  private var waitingSince: ContinuousClock.Instant?
  private var openedAt: ContinuousClock.Instant?
  private var notBefore: ContinuousClock.Instant?
  private var backoff = ConnectionBackoff()

  init(limit: Int) {
    self.limit = limit
  }

  /// Calls wait and no connection has capacity. Returns when to call ``timerFired(now:)``, which
  /// checks whether calls have waited ever since.
  mutating func callsWait(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let since = waitingSince ?? now
    waitingSince = since
    let due = max(since + Self.requiredWait, now)
    return notBefore.map { max($0, due) } ?? due
  }

  /// No call waits.
  mutating func callsAreServed() {
    waitingSince = nil
  }

  /// Returns whether to open a connection now.
  mutating func timerFired(now: ContinuousClock.Instant) -> Bool {
    guard let since = waitingSince, now >= since + Self.requiredWait,
      notBefore.map({ now >= $0 }) ?? true
    else { return false }
    waitingSince = nil
    openedAt = now
    return true
  }

  /// An additional connection could not be made, or closed without having answered a call.
  ///
  /// - Parameter random: from 0 up to 1.
  mutating func connectionFailed(now: ContinuousClock.Instant, random: Double) {
    notBefore = (openedAt ?? now) + backoff.next(random: random)
  }

  /// An additional connection closed after it had answered calls.
  mutating func connectionServed() {
    notBefore = nil
    backoff = ConnectionBackoff()
  }
}
