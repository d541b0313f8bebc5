import Testing

@testable import WireGRPCClient

@Suite struct RetryThrottleTests {
  private func failuresUntilStopped(_ throttle: consuming RetryThrottle) -> Int {
    var throttle = throttle
    var count = 0
    while throttle.allowsRetries, count < 10_000 {
      throttle.attemptFailed()
      count += 1
    }
    return count
  }

  @Test(arguments: [(10, 5), (9, 5), (1, 1), (2, 1), (1000, 500), (5000, 500), (0, 1)])
  func stopsAtHalfOfTheTokens(most: Int, failures: Int) {
    let throttle = RetryThrottle(RetryThrottling(maxTokens: most, tokenRatio: 0.1))
    #expect(failuresUntilStopped(throttle) == failures)
  }

  @Test func successesReturnTokens() {
    var throttle = RetryThrottle(RetryThrottling(maxTokens: 10, tokenRatio: 0.1))
    for _ in 0..<5 { throttle.attemptFailed() }
    #expect(!throttle.allowsRetries)
    throttle.callSucceeded()
    #expect(throttle.allowsRetries)
    throttle.attemptFailed()
    for _ in 0..<9 {
      throttle.callSucceeded()
      #expect(!throttle.allowsRetries)
    }
    throttle.callSucceeded()
    #expect(throttle.allowsRetries)
  }

  @Test func staysBetweenZeroAndTheMaximum() {
    var throttle = RetryThrottle(RetryThrottling(maxTokens: 2, tokenRatio: 1))
    for _ in 0..<100 { throttle.attemptFailed() }
    throttle.callSucceeded()
    #expect(!throttle.allowsRetries)
    throttle.callSucceeded()
    #expect(throttle.allowsRetries)
    for _ in 0..<100 { throttle.callSucceeded() }
    throttle.attemptFailed()
    #expect(!throttle.allowsRetries)
  }

  /// Decimals after the third are ignored, and 0.1 + 0.2 is exactly 0.3.
  @Test func countsInThousandths() {
    var throttle = RetryThrottle(RetryThrottling(maxTokens: 1, tokenRatio: 0.0019))
    throttle.attemptFailed()
    for _ in 0..<500 { throttle.callSucceeded() }
    #expect(!throttle.allowsRetries)
    throttle.callSucceeded()
    #expect(throttle.allowsRetries)
    var other = RetryThrottle(RetryThrottling(maxTokens: 1, tokenRatio: 0.501))
    other.attemptFailed()
    other.callSucceeded()
    #expect(other.allowsRetries)
  }

  @Test func doesNotThrottleWithoutAConfig() {
    #expect(failuresUntilStopped(RetryThrottle(nil)) == 10_000)
  }
}
