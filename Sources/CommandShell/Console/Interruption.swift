package import WireIO
import WireSystem

/// Runs `body`. Ctrl-C, SIGTERM and SIGHUP (a closed terminal) cancel it, and with it the call on the
/// server and the token command. The process ends at once at a second signal, at a signal after `body`,
/// or if `body` has not ended within a second: it may wait for a pipe without a writer or a reader.
///
/// - Parameter loop: where `body` runs; nil leaves that to the concurrent pool.
///
/// - Throws: the error that `body` throws, or ``ErrorReport/interrupted(by:)`` after a signal.
package func interruptible<Success: Sendable>(
  on loop: EventLoop?,
  _ body: @escaping @Sendable () async throws(ErrorReport) -> Success
) async throws(ErrorReport) -> Success {
  let running = Running<Success>()
  onSignals { running.interrupt(by: $0) }
  let outcome = await running.start(on: loop, body).value
  if let signal = running.end() { throw .interrupted(by: signal) }
  return try outcome.get()
}

/// Ends the process after a second, if it has not ended by itself: it may wait for a pipe without a writer
/// or a reader.
package func endProcessSoon(_ code: ExitCode) {
  try? Thread(for: "the end") {
    sleep(1)
    exitNow(code)
  }.detach()
}

/// The task that a signal cancels.
private final class Running<Success: Sendable>: Sendable {
  typealias Outcome = Result<Success, ErrorReport>
  private struct State {
    var task: Task<Outcome, Never>?
    /// The signal that interrupted it.
    var signal: Int32?
    var isOver = false
  }
  private let state = Locked(State())

  /// Ends the cancellable part. Returns the signal that interrupted it.
  func end() -> Int32? {
    state.withLock { state in
      state.isOver = true
      return state.signal
    }
  }

  func start(
    on loop: EventLoop?,
    _ body: @escaping @Sendable () async throws(ErrorReport) -> Success
  ) -> Task<Outcome, Never> {
    state.withLock { state in
      let task = Task(executorPreference: loop?.taskExecutor) { () async -> Outcome in
        do throws(ErrorReport) {
          return .success(try await body())
        } catch {
          return .failure(error)
        }
      }
      state.task = task
      if state.signal != nil { task.cancel() }
      return task
    }
  }

  func interrupt(by signal: Int32) {
    let task = state.withLock { state in
      if state.signal != nil || state.isOver { exitNow(.signal(signal)) }
      state.signal = signal
      return state.task
    }
    task?.cancel()
    endProcessSoon(.signal(signal))
  }
}
