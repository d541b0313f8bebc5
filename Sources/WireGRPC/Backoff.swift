/// Pauses that grow from one failure to the next (gRPC connection-backoff.md, gRFC A6).
package enum Backoff {
  /// The pause after so many failures in a row: `first * multiplier^(failures - 1)`, but not above the
  /// longest.
  ///
  /// - Parameter random: from 0 up to 1, spreads the pause by a fifth either way.
  package static func pause(
    after failures: Int, first: Duration, longest: Duration, multiplier: Double = 1.6,
    random: Double
  ) -> Duration {
    let longest = longest / .seconds(1)
    var pause = first / .seconds(1)
    for _ in 1..<max(1, failures) where pause < longest { pause *= multiplier }
    // What is no number is not less than the longest.
    return .seconds(max(0, pause < longest ? pause : longest) * (0.8 + 0.4 * random))
  }
}
