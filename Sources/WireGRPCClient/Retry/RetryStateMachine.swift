package import WireGRPC

/// Whether a call whose attempt failed is tried again, and after which time (gRFC A6). Knows no
/// clock.
///
/// There are two ways to another attempt. What the server never acted on is sent again at once, and
/// once, whatever the policy says, or some times when it merely had no room; that counts nowhere. All
/// else is for the policy.
package struct RetryStateMachine {
  package enum Decision: Equatable {
    case retry(after: Duration)
    /// It stays failed; with why, where the policy alone would have it tried again.
    case end(String?)
  }

  private let policy: RetryPolicy?
  /// How often the policy had it tried again: `grpc-previous-rpc-attempts`.
  package private(set) var previousAttempts = 0
  /// Since the beginning, or since the server named a delay.
  private var backoffs = 0
  private var hasMoved = false
  /// How often it may still come to a server that has no room: the pauses of ``RefusedStreams`` make
  /// that two thirds of a second, in which a server has long let go of what it ended.
  private var patience = 6

  package init(_ policy: RetryPolicy?) {
    self.policy = policy
  }

  /// The server did not act on what it was sent. Returns whether it is sent again at once, or as soon
  /// as there is room.
  package mutating func unprocessed(isCommitted: Bool, hadNoRoom: Bool = false) -> Bool {
    guard !isCommitted else { return false }
    if hadNoRoom {
      patience -= 1
      return patience >= 0
    }
    defer { hasMoved = true }
    return !hasMoved
  }

  /// - Parameters:
  ///   - isCommitted: whether the answer had begun, or too much was sent to send it again.
  ///   - random: from 0 up to 1.
  package mutating func attemptFailed(
    _ error: CallError, isCommitted: Bool, throttle: inout RetryThrottle, random: Double
  ) -> Decision {
    // The caller's own deadline, cancellation or limit.
    guard error.origin != .local else { return .end(nil) }
    let isRetryable = policy?.retryableStatusCodes.contains(error.code) ?? false
    if isRetryable || error.retryPushback == .never { throttle.attemptFailed() }
    guard let policy, isRetryable, policy.attempts > 1 else { return .end(nil) }
    if isCommitted { return .end("too much was sent, or the response had started") }
    if error.retryPushback == .never { return .end("the server asked not to retry") }
    if error.connectionFailure?.mayPass == false { return .end("it would fail again") }
    guard previousAttempts + 1 < policy.attempts else {
      return .end("the limit of \(policy.attempts) attempts is reached")
    }
    guard throttle.allowsRetries else { return .end("retries are throttled: too many calls fail") }
    previousAttempts += 1
    if case .after(let delay) = error.retryPushback {
      backoffs = 0
      return .retry(after: delay)
    }
    backoffs += 1
    return .retry(after: policy.backoff(backoffs, random: random))
  }
}
