import WireSystem

/// Pauses that grow from one failure to the next (gRPC connection-backoff.md, gRFC A6).
package enum Backoff {
  /// Returns the pause after so many failures in a row: `first * multiplier^(failures - 1)`, but not
  /// above the longest. Takes the same time for any number of failures.
  ///
  /// - Parameter random: from 0 up to 1, spreads the pause by a fifth either way.
  package static func pause(
    after failures: Int, first: Duration, longest: Duration, multiplier: Double = 1.6,
    random: Double
  ) -> Duration {
    guard first > .zero else { return .zero }
    let longest = longest / .seconds(1)
    let pause = first / .seconds(1) * pow(multiplier, Double(max(1, failures) - 1))
    // A pause that is not a number is not less than the longest.
    return .seconds(max(0, pause < longest ? pause : longest) * (0.8 + 0.4 * random))
  }
}
