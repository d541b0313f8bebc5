import Testing

@testable import WireGRPC
@testable import WireGRPCClient

@Suite struct RetryStateMachineTests {
  private static let policy = RetryPolicy(
    maxAttempts: 4, initialBackoff: .seconds(1), maxBackoff: .seconds(3), backoffMultiplier: 2,
    retryableStatusCodes: [.unavailable, .deadlineExceeded, .internal])

  private func failure(
    _ code: StatusCode = .unavailable, _ pushback: RetryPushback? = nil,
    origin: CallError.Origin = .server
  ) -> CallError {
    CallError(code: code, message: "", origin: origin, retryPushback: pushback)
  }

  /// Returns the delay after each failure; nil if there is no retry.
  private func delays(
    of failures: [CallError], _ policy: RetryPolicy? = policy,
    commitment: RetryBuffer.Commitment? = nil
  ) -> [Duration?] {
    var throttle = RetryThrottle(nil)
    return delays(of: failures, policy, commitment: commitment, throttle: &throttle)
  }

  private func delays(
    of failures: [CallError], _ policy: RetryPolicy? = policy,
    commitment: RetryBuffer.Commitment? = nil,
    throttle: inout RetryThrottle
  ) -> [Duration?] {
    var machine = RetryStateMachine(policy)
    return failures.map { failure in
      switch machine.attemptFailed(
        failure, commitment: commitment, throttle: &throttle, random: 0.5)
      {
      case .retry(let delay): delay
      case .end: nil
      }
    }
  }

  @Test func retriesUpToTheLimit() {
    #expect(
      delays(of: [failure(), failure(.internal), failure(), failure()])
        == [.seconds(1), .seconds(2), .seconds(3), nil])
  }

  @Test func retriesOnlyTheCodesOfThePolicy() {
    for number in 0...20 {
      let code = StatusCode(rawValue: number)
      let isRetried = delays(of: [failure(code)]) != [nil]
      #expect(isRetried == Self.policy.retryableStatusCodes.contains(code), "\(code)")
    }
  }

  @Test func doesNotRetryWithoutAPolicy() {
    #expect(delays(of: [failure()], nil) == [nil])
    #expect(delays(of: [failure()], .never) == [nil])
  }

  /// The caller's own deadline applies to all attempts.
  @Test func doesNotRetryLocalErrors() {
    #expect(delays(of: [failure(.deadlineExceeded, origin: .local)]) == [nil])
    #expect(delays(of: [failure(.deadlineExceeded)]) == [.seconds(1)])
    #expect(delays(of: [failure(.unavailable, origin: .transport)]) == [.seconds(1)])
  }

  @Test func doesNotRetryACommittedCall() {
    #expect(delays(of: [failure()], commitment: .limitExceeded) == [nil])
    for (commitment, reason) in [
      (RetryBuffer.Commitment.responseStarted, "the response had started"),
      (.limitExceeded, "more than 256 KiB had been sent"),
    ] {
      var machine = RetryStateMachine(Self.policy)
      var throttle = RetryThrottle(nil)
      #expect(
        machine.attemptFailed(
          failure(), commitment: commitment, throttle: &throttle, random: 0) == .end(reason))
    }
  }

  @Test func pushbackSetsTheDelay() {
    #expect(
      delays(of: [
        failure(), failure(), failure(.unavailable, .after(.milliseconds(7))), failure(),
      ]) == [.seconds(1), .seconds(2), .milliseconds(7), nil])
  }

  @Test func pushbackResetsTheBackoff() {
    #expect(
      delays(of: [failure(), failure(.unavailable, .after(.zero)), failure()])
        == [.seconds(1), .zero, .seconds(1)])
  }

  @Test func pushbackForbidsRetries() {
    #expect(delays(of: [failure(.unavailable, .never)]) == [nil])
  }

  /// A pushback delay does not make a code retryable.
  @Test func pushbackDoesNotMakeACodeRetryable() {
    #expect(delays(of: [failure(.notFound, .after(.zero))]) == [nil])
  }

  @Test func countsRetriesOfThePolicy() {
    var machine = RetryStateMachine(Self.policy)
    var throttle = RetryThrottle(nil)
    #expect(machine.previousAttempts == 0)
    check(machine.unprocessed(isCommitted: false), true)
    #expect(machine.previousAttempts == 0)
    for count in 1...3 {
      _ = machine.attemptFailed(
        failure(), commitment: nil, throttle: &throttle, random: 0)
      #expect(machine.previousAttempts == count)
    }
  }

  // MARK: Transparent retries

  @Test func retriesAnUnprocessedCallOnce() {
    var machine = RetryStateMachine(nil)
    check(machine.unprocessed(isCommitted: false), true)
    check(machine.unprocessed(isCommitted: false), false)
    for _ in 0..<6 { check(machine.unprocessed(isCommitted: false, hadNoRoom: true), true) }
    check(machine.unprocessed(isCommitted: false, hadNoRoom: true), false)
    var committed = RetryStateMachine(nil)
    check(committed.unprocessed(isCommitted: true), false)
  }

  @Test func transparentRetriesCostNoAttempt() {
    var machine = RetryStateMachine(Self.policy)
    var throttle = RetryThrottle(nil)
    _ = machine.unprocessed(isCommitted: false)
    let decisions = (0..<4).map { _ in
      machine.attemptFailed(failure(), commitment: nil, throttle: &throttle, random: 0.5)
    }
    #expect(decisions.prefix(3).allSatisfy { if case .retry = $0 { true } else { false } })
    #expect(decisions.last == .end("the limit of 4 attempts is reached"))
  }

  // MARK: Throttling

  @Test func failuresThrottle() {
    var throttle = RetryThrottle(RetryThrottling(maxTokens: 4, tokenRatio: 1))
    let first = delays(of: [failure(), failure()], throttle: &throttle)
    #expect(first == [.seconds(1), nil])
    // The throttle is shared by all calls.
    throttle.callSucceeded()
    throttle.callSucceeded()
    let second = delays(of: [failure()], throttle: &throttle)
    #expect(second == [.seconds(1)])
  }

  @Test func countsFailures() {
    func counts(
      _ error: CallError, _ policy: RetryPolicy?, commitment: RetryBuffer.Commitment? = nil
    ) -> Bool {
      var machine = RetryStateMachine(policy)
      var throttle = RetryThrottle(RetryThrottling(maxTokens: 1, tokenRatio: 1))
      _ = machine.attemptFailed(
        error, commitment: commitment, throttle: &throttle, random: 0)
      return !throttle.allowsRetries
    }
    #expect(counts(failure(), Self.policy))
    #expect(counts(failure(), Self.policy, commitment: .responseStarted))
    #expect(counts(failure(.notFound, .never), Self.policy))
    #expect(counts(failure(.notFound, .never), nil))
    #expect(!counts(failure(), nil))
    #expect(!counts(failure(.notFound), Self.policy))
    #expect(!counts(failure(.notFound, .after(.zero)), Self.policy))
    #expect(!counts(failure(.deadlineExceeded, origin: .local), Self.policy))
  }
}
