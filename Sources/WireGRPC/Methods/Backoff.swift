import WireSystem

/// Exponential backoff (gRPC connection-backoff.md, gRFC A6).
package enum Backoff {
  /// Returns the pause after a number of consecutive failures: `first * multiplier^(failures - 1)`,
  /// at most `longest`. Takes constant time.
  ///
  /// - Parameter random: from 0 up to 1; spreads the pause by 20 % either way.
  package static func pause(
    after failures: Int, first: Duration, longest: Duration, multiplier: Double = 1.6,
    random: Double
  ) -> Duration {
    guard first > .zero else { return .zero }
    let longest = longest / .seconds(1)
    let pause = first / .seconds(1) * pow(multiplier, Double(max(1, failures) - 1))
    // If `pause` is NaN, the comparison is false and `longest` is used.
    return .seconds(max(0, pause < longest ? pause : longest) * (0.8 + 0.4 * random))
  }
}
