package import WireGRPC

/// Waits for what must be done on this side before a call can be sent, no longer than the call may
/// last.
///
/// `body` is cancelled when the deadline passes and when the task that waits is cancelled; should it
/// not mind, it is left alone. It begins in the caller's place: as long as it has nothing to wait for
/// that costs no change of thread.
///
/// - Parameter who: does it, for errors: "the token provider".
/// - Throws: DEADLINE_EXCEEDED, CANCELLED, or what ``CallError/init(from:_:)`` makes of an error of
///   `body`.
package func wait<Value: Sendable>(
  until deadline: ContinuousClock.Instant?, for who: @autoclosure @escaping @Sendable () -> String,
  _ body: @escaping @Sendable () async throws -> Value
) async throws(CallError) -> Value {
  @Sendable func expired() -> CallError {
    .local(.deadlineExceeded, "the deadline passed while waiting for \(who())")
  }
  @Sendable func cancelled() -> CallError {
    .local(.cancelled, "cancelled while waiting for \(who())")
  }
  if let deadline, deadline <= .now { throw expired() }
  let race = FirstResult<Result<Value, CallError>>()
  let work = Task.immediate {
    do {
      race.end(.success(try await body()))
    } catch is CancellationError {
      race.end(.failure(cancelled()))
    } catch {
      race.end(.failure(CallError(from: who(), error)))
    }
  }
  if let result = race.outcome { return try result.get() }

  let alarm = deadline.map { deadline in
    Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      race.end(.failure(expired()))
    }
  }
  defer {
    work.cancel()
    alarm?.cancel()
  }
  return try await withTaskCancellationHandler {
    await race.wait()
  } onCancel: {
    race.end(.failure(cancelled()))
  }.get()
}
