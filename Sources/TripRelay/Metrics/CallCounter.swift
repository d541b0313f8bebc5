package import WireGRPC
import WireSystem

/// Counts the calls of a worker.
package final class CallCounter: CallObserver {
  struct Counts: Sendable {
    /// In the last 60 whole seconds.
    var callsPerMinute = 0
    /// All calls since the start.
    var calls = 0
    /// Failed calls since the start, by the name of the code.
    var errors: [String: Int] = [:]
    /// The failed calls since the last one that succeeded.
    var failing = Failures()
    /// When the last call succeeded, in seconds since 1970; 0 if none did.
    var lastSuccess = 0.0
  }

  struct Failures: Sendable {
    var count = 0
    /// When the first of them ended.
    var since: ContinuousClock.Instant?
    /// The error of the last one.
    var last: CallError?

    mutating func add(_ error: CallError, at now: ContinuousClock.Instant) {
      count += 1
      since = since ?? now
      last = error
    }
  }

  private struct State {
    var slots = [Int](repeating: 0, count: 60)
    var second: Int64 = 0
    var counts = Counts()

    mutating func advance(to now: Int64) {
      if now - second >= 60 { slots = [Int](repeating: 0, count: 60) }
      while second < now {
        second += 1
        if now - second < 60 { slots[Int(second % 60)] = 0 }
        if now - second > 60 { second = now - 60 }
      }
    }
  }

  private let start = ContinuousClock.now
  private let state = Locked(State())

  package init() {}

  package func observe(_ call: inout StartingCall) {
    let now = second
    state.withLock { state in
      state.advance(to: now)
      state.slots[Int(now % 60)] += 1
      state.counts.calls += 1
    }
    call.observe { [self] event in
      switch event {
      case .end(.success):
        state.withLock { state in
          state.counts.lastSuccess = WallTime.now
          state.counts.failing = Failures()
        }
      case .end(.failure(let error)) where error.code != .cancelled || error.origin != .local:
        state.withLock { state in
          state.counts.errors["\(error.code)", default: 0] += 1
          state.counts.failing.add(error, at: .now)
        }
      default: break
      }
    }
  }

  var counts: Counts {
    let now = second
    return state.withLock { state in
      state.advance(to: now)
      var counts = state.counts
      counts.callsPerMinute = state.slots.reduce(0, +)
      return counts
    }
  }

  private var second: Int64 { (.now - start).components.seconds }
}
