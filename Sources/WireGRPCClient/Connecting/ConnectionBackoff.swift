import WireGRPC

/// How long to wait between attempts to connect (gRPC connection-backoff.md).
package struct ConnectionBackoff: Sendable {
  private var failures = 0

  package init() {}

  /// The time from the start of an attempt that failed to the start of the next.
  ///
  /// - Parameter random: from 0 up to 1, spreads the delay by a fifth either way.
  package mutating func next(random: Double) -> Duration {
    failures += 1
    return Backoff.pause(
      after: failures, first: .seconds(1), longest: .seconds(120), random: random)
  }
}
