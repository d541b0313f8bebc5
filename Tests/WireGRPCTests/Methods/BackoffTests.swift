import Testing

@testable import WireGRPC

@Suite struct BackoffTests {
  private func seconds(
    after failures: Int, first: Duration = .seconds(1), longest: Duration = .seconds(120),
    multiplier: Double = 1.6
  ) -> Double {
    Backoff.pause(
      after: failures, first: first, longest: longest, multiplier: multiplier, random: 0.5)
      / .seconds(1)
  }

  @Test(arguments: [(-1, 1.0), (0, 1), (1, 1), (2, 1.6), (3, 2.56), (11, 109.951_162), (12, 120)])
  func growsUpToTheLongest(failures: Int, expected: Double) {
    #expect(abs(seconds(after: failures) - expected) < 1e-5)
  }

  /// A loop over the failures would not terminate.
  @Test(arguments: [(1.6, 120.0), (1, 1), (0.5, 0), (0, 0), (.infinity, 120), (.nan, 120)])
  func largestNumberOfFailuresIsFast(multiplier: Double, expected: Double) {
    #expect(abs(seconds(after: .max, multiplier: multiplier) - expected) < 1e-6)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func zeroPauseStaysZero(first: Duration) {
    for failures in [1, 2, 10_000, .max] { #expect(seconds(after: failures, first: first) == 0) }
  }

  @Test func limitsTheFirstPause() {
    #expect(abs(seconds(after: 1, longest: .milliseconds(500)) - 0.5) < 1e-6)
  }
}
