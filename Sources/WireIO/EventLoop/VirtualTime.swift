import WireSystem

/// The time of an ``EventLoop`` that moves only when it is advanced.
package final class VirtualTime: Sendable {
  private typealias Waiter = @Sendable (ContinuousClock.Instant?) -> Void

  private let state = Locked((now: ContinuousClock.now, waiters: [Waiter]()))

  package init() {}

  package var now: ContinuousClock.Instant { state.withLock { $0.now } }

  /// Moves the time, but not back.
  package func advance(to instant: ContinuousClock.Instant) {
    state.withLock { $0.now = max($0.now, instant) }
  }

  /// Waits until a loop has done all that is due. Returns when its next timer is due; nil if it has none.
  package func idle(_ loop: EventLoop) async -> ContinuousClock.Instant? {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiters.append { continuation.resume(returning: $0) } }
      // Wakes the loop.
      loop.execute {}
    }
  }

  /// Whether somebody waits until the loop is idle.
  var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

  /// Called on the loop when nothing is due.
  ///
  /// - Parameter next: when the next timer is due.
  func loopIsIdle(next: ContinuousClock.Instant?) {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter(next) }
  }
}
