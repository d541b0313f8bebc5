import WireSystem

/// A value whose owner is notified after each change.
final class Observed<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var whenChanged: @Sendable (Observed) -> Void = { _ in }
  }

  private let state: Locked<State>

  init(_ value: Value) {
    state = Locked(State(value: value))
  }

  var value: Value { state.withLock { $0.value } }

  /// - Parameter body: called after each change. The value may have changed again by then.
  func whenChanged(_ body: @escaping @Sendable (Observed) -> Void) {
    state.withLock { $0.whenChanged = body }
  }

  func change(_ body: (inout Value) -> Void) {
    let whenChanged = state.withLock { state in
      body(&state.value)
      return state.whenChanged
    }
    whenChanged(self)
  }
}
