import WireSystem

/// A result that several tasks can set and one task waits for. The first one that is set is used.
package final class FirstResult<Outcome: Sendable>: Sendable {
  private struct State {
    var outcome: Outcome?
    var waiter: Waiter<Outcome>?
  }

  private let state = Locked(State())

  package init() {}

  var outcome: Outcome? { state.withLock { $0.outcome } }

  package func end(_ outcome: Outcome) {
    let waiter = state.withLock { state in
      guard state.outcome == nil else { return nil as Waiter<Outcome>? }
      state.outcome = outcome
      return state.waiter.take()
    }
    waiter?.resume(returning: outcome)
  }

  /// Waits for the result. Call it once.
  package func wait() async -> Outcome {
    await Waiter.wait { waiter in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiter = waiter }
        return state.outcome
      }
      if let outcome { waiter.resume(returning: outcome) }
    }
  }
}
