import WireSystem

@testable import Tripwire

/// Time that moves only when a test says so, and wakes those who sleep until then.
final class VirtualClock: RefreshClock {
  private struct State {
    var now = ContinuousClock.now
    var sleepers: [UInt64: (until: ContinuousClock.Instant, CheckedContinuation<Void, any Error>)] =
      [:]
    var lastID: UInt64 = 0
    var isOver = false
    /// Who waits for somebody to sleep.
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  var now: ContinuousClock.Instant { state.withLock { $0.now } }

  func sleep(until instant: ContinuousClock.Instant) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sleeper in
        let (isOver, watchers) = state.withLock { state in
          if state.isOver { state.now = max(state.now, instant) }
          if state.now >= instant { return (true, [] as [CheckedContinuation<Void, Never>]) }
          state.sleepers[id] = (instant, sleeper)
          defer { state.watchers = [] }
          return (false, state.watchers)
        }
        if isOver { sleeper.resume() }
        for watcher in watchers { watcher.resume() }
        // A cancellation may have come before.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: UInt64) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id)?.1 }
    sleeper?.resume(throwing: CancellationError())
  }

  /// How long the next who sleeps has yet to sleep; waits for one.
  func nextWake() async -> Duration {
    while true {
      let (next, now) = state.withLock { ($0.sleepers.values.map(\.until).min(), $0.now) }
      if let next { return next - now }
      await withCheckedContinuation { watcher in
        let isNow = state.withLock { state in
          if state.sleepers.isEmpty { state.watchers.append(watcher) }
          return !state.sleepers.isEmpty
        }
        if isNow { watcher.resume() }
      }
    }
  }

  /// Wakes all, who would else sleep for ever, and lets nobody sleep any more.
  func end() {
    state.withLock { $0.isOver = true }
    advance(by: .seconds(86_400))
  }

  /// How many sleep.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.1)
    }
    for sleeper in woken { sleeper.resume() }
  }
}
