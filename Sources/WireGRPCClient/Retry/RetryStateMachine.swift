import WireGRPC

/// Decides whether a failed attempt is followed by another, and after which delay (gRFC A6). Knows
/// no clock.
///
/// There are two kinds of retries. A call that the server never acted on is retried transparently:
/// at once and only once, or several times if the server only had no free stream. This does not
/// count as an attempt of the policy. The policy decides on all other retries.
struct RetryStateMachine {
  enum Decision: Equatable {
    case retry(after: Duration)
    /// The call fails. The reason is set if only the policy's status codes would allow a retry.
    case end(String?)
  }

  private let policy: RetryPolicy?
  /// The number of retries by the policy: `grpc-previous-rpc-attempts`.
  private(set) var previousAttempts = 0
  /// The number of backoff delays since the start, or since the server last set a delay.
  private var backoffs = 0
  private var hasRetriedTransparently = false
  /// How often a server without a free stream may still refuse the call. With the pauses of
  /// ``RefusedStreams``, 6 refusals take two thirds of a second, in which a server has long
  /// released its finished streams.
  private var refusalsLeft = 6

  init(_ policy: RetryPolicy?) {
    self.policy = policy
  }

  /// The server did not act on the attempt. Returns whether to send the call again, at once or as
  /// soon as a stream is free.
  mutating func unprocessed(isCommitted: Bool, hadNoRoom: Bool = false) -> Bool {
    guard !isCommitted else { return false }
    if hadNoRoom {
      refusalsLeft -= 1
      return refusalsLeft >= 0
    }
    defer { hasRetriedTransparently = true }
    return !hasRetriedTransparently
  }

  /// An attempt failed.
  ///
  /// - Parameters:
  ///   - commitment: why the call can no longer be sent again; nil if it can.
  ///   - random: from 0 up to 1.
  mutating func attemptFailed(
    _ error: CallError, commitment: RetryBuffer.Commitment?, throttle: inout RetryThrottle,
    random: Double
  ) -> Decision {
    // The error is the caller's own: a deadline, a cancellation or a limit.
    guard error.origin != .local else { return .end(nil) }
    let isRetryable = policy?.retryableStatusCodes.contains(error.code) ?? false
    if isRetryable || error.retryPushback == .never { throttle.attemptFailed() }
    guard let policy, isRetryable, policy.attempts > 1 else { return .end(nil) }
    switch commitment {
    case .responseStarted: return .end("the response had started")
    case .limitExceeded: return .end("more than \(RetryBuffer.limit / 1024) KiB had been sent")
    case nil: break
    }
    if error.retryPushback == .never { return .end("the server asked not to retry") }
    if error.connectionFailure?.isTransient == false { return .end("retrying will not help") }
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
