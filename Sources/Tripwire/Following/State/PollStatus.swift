/// How the polls of a resource go.
package struct PollStatus: Sendable {
  /// When the last successful poll began and ended; nil before it.
  package let last: (began: ContinuousClock.Instant, ended: ContinuousClock.Instant)?
  /// When the resource was last received or confirmed, perhaps by another process.
  package let refreshed: ContinuousClock.Instant?
  package let failure: RefreshFailure?
  /// When the next poll is due; nil during a poll, and if none is to come.
  package let next: ContinuousClock.Instant?
  /// The number of late polls since the resource is followed.
  package let lateCount: Int

  /// Whether a poll is late that ended, or has not ended, so long after it was due: by an interval or a second,
  /// whichever is longer.
  package static func isLate(_ lateness: Duration, interval: Duration) -> Bool {
    lateness > max(interval, .seconds(1))
  }
}
