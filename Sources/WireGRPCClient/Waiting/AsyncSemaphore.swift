import WireSystem

/// Limits how many operations run at the same time. The others wait in order of arrival.
package final class AsyncSemaphore: Sendable {
  private typealias Waiter = FirstResult<Result<Void, CancellationError>>
  private struct State {
    var free: Int
    var waiters: [Waiter] = []
  }

  private let state: Locked<State>

  package init(_ count: Int) {
    state = Locked(State(free: count))
  }

  /// Waits until the operation may run. Unless it throws, the caller must call ``signal()`` at the end.
  ///
  /// - Throws: CancellationError if the task is canceled while it waits.
  package func wait() async throws(CancellationError) {
    let waiter = Waiter()
    let isFree = state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return true
      }
      state.waiters.append(waiter)
      return false
    }
    if isFree { return }
    let result = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      // A waiter that is no longer in the list may run, and signals at the end.
      let wasWaiting = state.withLock { state in
        let count = state.waiters.count
        state.waiters.removeAll { $0 === waiter }
        return state.waiters.count < count
      }
      if wasWaiting { waiter.end(.failure(CancellationError())) }
    }
    try result.get()
  }

  package func signal() {
    let next = state.withLock { state -> Waiter? in
      guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
      state.free += 1
      return nil
    }
    next?.end(.success(()))
  }
}
