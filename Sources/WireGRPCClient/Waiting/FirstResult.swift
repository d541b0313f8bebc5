import WireSystem

/// What one task waits for and several may bring about: whatever comes first counts.
package final class FirstResult<Outcome: Sendable>: Sendable {
  private struct State {
    var outcome: Outcome?
    var waiter: Waiter<Outcome>?
  }

  private let state = Locked(State())

  package init() {}

  /// What came first; nil as long as nothing did.
  package var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Does nothing when something else came before.
  package func end(_ outcome: Outcome) {
    let waiter = state.withLock { state in
      guard state.outcome == nil else { return nil as Waiter<Outcome>? }
      state.outcome = outcome
      return state.waiter.take()
    }
    waiter?.resume(returning: outcome)
  }

  /// To be called once.
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
