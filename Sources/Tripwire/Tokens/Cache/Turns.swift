import WireGRPCClient
import WireSystem

/// Limits how many operations run at the same time. The others wait in order of arrival.
final class Turns: Sendable {
  private typealias Waiter = FirstResult<Result<Void, CancellationError>>
  private struct State {
    var free: Int
    var waiters: [Waiter] = []
  }

  private let state: Locked<State>

  init(_ count: Int) {
    state = Locked(State(free: count))
  }

  /// Waits for a turn. Unless it throws, the caller must call ``giveBack()``.
  ///
  /// - Throws: CancellationError if the task is canceled while it waits.
  func take() async throws(CancellationError) {
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
    let turn = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      // A waiter that is no longer in the list already has the turn and gives it back.
      let wasWaiting = state.withLock { state in
        let count = state.waiters.count
        state.waiters.removeAll { $0 === waiter }
        return state.waiters.count < count
      }
      if wasWaiting { waiter.end(.failure(CancellationError())) }
    }
    try turn.get()
  }

  func giveBack() {
    let next = state.withLock { state -> Waiter? in
      guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
      state.free += 1
      return nil
    }
    next?.end(.success(()))
  }
}
