import WireGRPC
import WireIO

/// The calls of a channel that are not over. Lives on the loop.
final class ActiveCalls {
  private let context: ConnectionContext
  private let completions: CompletionBatch
  private var calls: [UInt64: Call] = [:]
  private var throttle: RetryThrottle

  init(_ context: ConnectionContext, _ throttling: RetryThrottling?) {
    self.context = context
    completions = CompletionBatch(on: context.loop)
    throttle = RetryThrottle(throttling)
  }

  subscript(_ id: UInt64) -> Call? { calls[id] }

  /// The calls that wait for their next attempt.
  var pausing: [Call] { calls.values.filter(\.isPausing) }

  /// Begins a call. Returns nil if its deadline has passed.
  ///
  /// - Parameter expire: called at the deadline.
  func begin(
    _ request: CallRequest, now: ContinuousClock.Instant, expire: @escaping (Call) -> Void
  ) -> Call? {
    let call = Call(
      request, retryPolicy: context.allowsRetries ? request.retryPolicy : nil,
      completions: completions)
    if call.isObserved { request.reportStart() }
    if let deadline = request.deadline, deadline <= now {
      fail(call, .local(.deadlineExceeded, "the deadline passed before the call started"))
      return nil
    }
    calls[request.id] = call
    if let deadline = request.deadline {
      call.timer = context.loop.schedule(at: deadline) { expire(call) }
    }
    return call
  }

  func succeeded(_ call: Call) {
    calls[call.request.id] = nil
    throttle.callSucceeded()
  }

  func fail(_ call: Call, _ error: CallError) {
    calls[call.request.id] = nil
    context.trace?.report(.finished(error.code), of: call.request)
    call.fail(error)
  }

  /// Ends a call whose attempt failed, or prepares its next attempt.
  ///
  /// - Parameter resume: called when the next attempt is due.
  func attemptFailed(_ call: Call, _ error: CallError, resume: @escaping () -> Void) {
    switch call.attemptFailed(error, throttle: &throttle) {
    case .end(let reason):
      if let reason { context.trace?.report(.notRetried(reason: reason), of: call.request) }
      fail(call, error)
    case .retry(let delay):
      if let failure = call.earlierAttempts.last {
        context.trace?.report(
          .retry(attempt: call.earlierAttempts.count, failure: failure), of: call.request)
      }
      call.retryTimer = context.loop.schedule(after: delay) {
        call.retryTimer = nil
        resume()
      }
    }
  }
}
