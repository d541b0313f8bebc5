/// When a channel opens a further connection beside those it has, because they are full (the idea of
/// gRFC A105). Knows no clock.
///
/// That calls wait for a moment is no reason: streams become free all the time, and a connection
/// costs handshakes. A queue that has not been empty for a while is one that the connections cannot
/// serve, be it that more calls come than go, or that streams are held for long. One connection is
/// opened at a time; one that failed, or that never answered a call, makes the next wait for the
/// back-off.
package struct ConnectionGrowth: Sendable {
  /// How long calls have to wait without a break.
  package static let patience = Duration.milliseconds(50)

  /// How many connections there may be.
  package let limit: Int
  private var hungrySince: ContinuousClock.Instant?
  private var openedAt: ContinuousClock.Instant?
  private var notBefore: ContinuousClock.Instant?
  private var backoff = ConnectionBackoff()

  package init(limit: Int) {
    self.limit = limit
  }

  /// Calls wait and no connection has room for them. Returns when to call ``timerFired(now:)``, which
  /// asks whether this has been so ever since.
  package mutating func callsWait(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let since = hungrySince ?? now
    hungrySince = since
    let due = max(since + Self.patience, now)
    return notBefore.map { max($0, due) } ?? due
  }

  /// No call waits.
  package mutating func callsAreServed() {
    hungrySince = nil
  }

  /// Returns whether to open a connection now.
  package mutating func timerFired(now: ContinuousClock.Instant) -> Bool {
    guard let since = hungrySince, now >= since + Self.patience,
      notBefore.map({ now >= $0 }) ?? true
    else { return false }
    hungrySince = nil
    openedAt = now
    return true
  }

  /// A connection beside others could not be made, or went away without having answered a call.
  ///
  /// - Parameter random: from 0 up to 1.
  package mutating func connectionFailed(now: ContinuousClock.Instant, random: Double) {
    notBefore = (openedAt ?? now) + backoff.next(random: random)
  }

  /// A connection beside others went away after it had answered calls.
  package mutating func connectionServed() {
    notBefore = nil
    backoff = ConnectionBackoff()
  }
}
