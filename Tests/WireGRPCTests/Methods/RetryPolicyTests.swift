import Testing

@testable import WireGRPC

@Suite struct RetryPolicyTests {
  @Test func policyHasADescription() {
    let policy = RetryPolicy(
      maxAttempts: 9, initialBackoff: .seconds(1), maxBackoff: .seconds(10), backoffMultiplier: 1.3,
      retryableStatusCodes: [.unavailable, .aborted])
    #expect(
      "\(policy)"
        == "5 attempts after ABORTED, UNAVAILABLE, 1.0 seconds apart, x1.3 up to 10.0 seconds")
    #expect("\(RetryPolicy.never)" == "1 attempt")
    #expect(Mirror(reflecting: policy).children.count == 5)
  }

  private func policy(_ attempts: Int = 5, multiplier: Double = 1.3) -> RetryPolicy {
    RetryPolicy(
      maxAttempts: attempts, initialBackoff: .seconds(1), maxBackoff: .seconds(10),
      backoffMultiplier: multiplier, retryableStatusCodes: [.unavailable])
  }

  /// The delays without spread, in milliseconds.
  private func delays(_ policy: RetryPolicy) -> [Int] {
    (1...5).map { Int((policy.backoff($0, random: 0.5) / .milliseconds(1)).rounded()) }
  }

  @Test func delaysGrowUpToTheLongest() {
    #expect(delays(policy()) == [1000, 1300, 1690, 2197, 2856])
    #expect(delays(policy(multiplier: 4)) == [1000, 4000, 10_000, 10_000, 10_000])
    #expect(delays(policy(multiplier: 0.5)) == [1000, 500, 250, 125, 63])
  }

  @Test func delaysAreSpreadByAFifth() {
    #expect(policy().backoff(1, random: 0) == .milliseconds(800))
    #expect((policy().backoff(1, random: 0.999_999) / .milliseconds(1)).rounded() == 1200)
  }

  @Test(arguments: [.nan, .infinity, -.infinity, -1, 0, 1e300] as [Double])
  func invalidMultipliersStayWithinTheLimit(multiplier: Double) {
    var policy = policy(multiplier: multiplier)
    for number in [Int.min, 0, 1, 2, 3, 1000] {
      #expect((.zero ... .seconds(12)).contains(policy.backoff(number, random: 0.9)))
    }
    policy.initialBackoff = .seconds(Int64.max)
    policy.maxBackoff = .seconds(Int64.max)
    #expect(policy.backoff(2, random: 0.9) <= .seconds(99_999_999 * 3_600 * 2))
  }

  @Test(arguments: [(Int.min, 1), (0, 1), (1, 1), (2, 2), (5, 5), (6, 5), (Int.max, 5)])
  func limitsAttemptsToFive(wanted: Int, attempts: Int) {
    #expect(policy(wanted).attempts == attempts)
  }
}
