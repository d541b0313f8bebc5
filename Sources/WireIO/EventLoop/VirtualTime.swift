import WireSystem

/// The time of an ``EventLoop`` that moves only when it is advanced, and then at once from timer to timer.
package final class VirtualTime: Sendable {
  private struct Step {
    let end: ContinuousClock.Instant
    let finish: @Sendable (Bool) -> Void
  }

  private let state = Locked((now: ContinuousClock.now, steps: [Step]()))

  package init() {}

  package var now: ContinuousClock.Instant { state.withLock { $0.now } }

  /// Whether a step waits until the loop is idle.
  var isAwaited: Bool { state.withLock { !$0.steps.isEmpty } }

  /// Lets the loop do all that is due, and then moves on to the next timer, or to the end if that is earlier.
  ///
  /// - Parameter finish: called once on the loop, with whether the end is reached, and nothing is due.
  package func step(
    until end: ContinuousClock.Instant, on loop: EventLoop,
    finish: @escaping @Sendable (Bool) -> Void
  ) {
    state.withLock { $0.steps.append(Step(end: end, finish: finish)) }
    // Wakes the loop.
    loop.execute {}
  }

  /// Called on the loop when nothing is due.
  ///
  /// - Parameter next: when the next timer is due.
  func loopIsIdle(next: ContinuousClock.Instant?) {
    let (now, steps) = state.withLock { state in
      let steps = state.steps
      state.steps = []
      if let target = (steps.map(\.end) + (next.map { [$0] } ?? [])).min(), !steps.isEmpty {
        state.now = max(state.now, target)
      }
      return (state.now, steps)
    }
    // Timers that have become due belong to the end, too.
    let isDue = next.map { $0 <= now } ?? false
    for step in steps { step.finish(step.end <= now && !isDue) }
  }
}
