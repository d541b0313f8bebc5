package import WireGRPC
package import WireIO

/// Waits for local work before a call, until the call's deadline or the end of the channel.
///
/// `body` is canceled when the deadline passes and when the waiting task is canceled. The wait ends then
/// even if `body` does not. `body` starts on the caller's thread: while it has nothing to wait for,
/// it costs no change of thread.
///
/// - Parameters:
///   - deadline: nil waits until the loop stops.
///   - loop: its timer ends the wait. A channel stops it when it is closed.
///   - who: names the worker in errors: "the token provider".
/// - Throws: DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE if the loop stops before the deadline, or an
///   error of `body` as converted by ``CallError/init(from:_:)``.
package func wait<Value: Sendable>(
  until deadline: ContinuousClock.Instant?, on loop: EventLoop,
  for who: @autoclosure @escaping @Sendable () -> String,
  _ body: @escaping @Sendable () async throws -> Value
) async throws(CallError) -> Value {
  @Sendable func expired() -> CallError {
    var error = CallError.local(
      .deadlineExceeded, "the deadline passed while waiting for \(who())")
    error.cause = .slowPreparation
    return error
  }
  @Sendable func canceled() -> CallError {
    .local(.cancelled, "canceled while waiting for \(who())")
  }
  if let deadline, deadline <= loop.now { throw expired() }
  let result = FirstResult<Result<Value, CallError>>()
  let work = Task.immediate {
    do {
      result.end(.success(try await body()))
    } catch is CancellationError {
      result.end(.failure(canceled()))
    } catch {
      result.end(.failure(CallError(from: who(), error)))
    }
  }
  if let outcome = result.outcome { return try outcome.get() }

  let alarm = Task(executorPreference: loop.taskExecutor) {
    let isReached = await loop.sleep(until: deadline ?? loop.now + Timeout.longest)
    result.end(.failure(isReached ? expired() : ConnectivityStateMachine.closed))
  }
  defer {
    work.cancel()
    alarm.cancel()
  }
  return try await withTaskCancellationHandler {
    await result.wait()
  } onCancel: {
    result.end(.failure(canceled()))
  }.get()
}
