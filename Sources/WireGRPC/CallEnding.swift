import WireIO

/// Has those who observe a call told how it ended for its caller: one that the server ended with OK is
/// not over before the caller has found its answer readable, or not.
package final class CallEnding: Sendable {
  typealias Observer = @Sendable (CallEvent) -> Void

  private struct State {
    /// The trailers of a call that ended with OK, until the caller has read its answer.
    var held: Metadata?
    var observers: [Observer] = []
    /// What the caller makes of the answer.
    var verdict: Result<Void, CallError>?
  }

  private let state = Locked(State())

  package init() {}

  /// Who observes the call in the place of these.
  func observers(for observers: [Observer]) -> [Observer] {
    if observers.isEmpty { return [] }
    return [{ event in self.hear(event, observers) }]
  }

  private func hear(_ event: CallEvent, _ observers: [Observer]) {
    guard case .end(let result) = event else { return Self.tell(event, observers) }
    let end = state.withLock { state -> Result<Metadata, CallError>? in
      if case .failure(let error)? = state.verdict { return .failure(error) }
      guard case .success(let trailers) = result, state.verdict == nil else { return result }
      state.held = trailers
      state.observers = observers
      return nil
    }
    if let end { Self.tell(.end(end), observers) }
  }

  /// The caller has read the answer, or cannot or will not. The first verdict counts.
  func conclude(_ error: CallError? = nil) {
    let (held, observers) = state.withLock { state -> (Metadata?, [Observer]) in
      if state.verdict == nil { state.verdict = error.map { .failure($0) } ?? .success(()) }
      defer {
        state.held = nil
        state.observers = []
      }
      return (state.held, state.observers)
    }
    guard let held else { return }
    Self.tell(.end(error.map { .failure($0) } ?? .success(held)), observers)
  }

  private static func tell(_ event: CallEvent, _ observers: [Observer]) {
    for observer in observers { observer(event) }
  }
}
