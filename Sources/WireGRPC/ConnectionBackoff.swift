/// How long to wait between attempts to connect (gRPC connection-backoff.md).
package struct ConnectionBackoff: Sendable {
  private static let initial = 1.0
  private static let multiplier = 1.6
  private static let longest = 120.0
  private static let jitter = 0.2

  private var failures = 0

  package init() {}

  /// The time from the start of an attempt that failed to the start of the next.
  ///
  /// - Parameter random: from 0 up to 1, spreads the delay by a fifth either way.
  package mutating func next(random: Double) -> Duration {
    var delay = Self.initial
    for _ in 0..<failures where delay < Self.longest { delay *= Self.multiplier }
    failures += 1
    return .seconds(min(delay, Self.longest) * (1 + Self.jitter * (2 * random - 1)))
  }
}
