import WireSystem

/// Wakes one task. Signals that come before the wait are kept as one.
///
/// `AsyncSemaphore` would count them: a reader that is slower than the updates, which get merged, would then wake up
/// once for each of them and find nothing. It also allocates memory for each wait.
final class AsyncSignal: Sendable {
  private enum State {
    case idle
    case signaled
    case awaited(CheckedContinuation<Void, Never>)
  }

  private let state = Locked(State.idle)

  func signal() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard case .awaited(let waiter) = state else {
        state = .signaled
        return nil
      }
      state = .idle
      return waiter
    }
    waiter?.resume()
  }

  /// Returns after a signal, or when the task is canceled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isSignaled = state.withLock { state in
          guard case .idle = state else {
            state = .idle
            return true
          }
          state = .awaited(waiter)
          return false
        }
        if isSignaled { waiter.resume() }
      }
    } onCancel: {
      signal()
    }
  }
}
