import WireGRPC

/// The time between attempts to connect (gRPC connection-backoff.md).
struct ConnectionBackoff: Sendable {
  private var failures = 0

  /// Returns the time from the start of a failed attempt to the start of the next one.
  mutating func next(random: Double) -> Duration {
    failures += 1
    return Backoff.pause(
      after: failures, first: .seconds(1), longest: .seconds(120), random: random)
  }
}
