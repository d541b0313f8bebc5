import WireIO

/// Has those who observe a call told how it ended for its caller: one that the server ended is not over
/// before the caller has found the answer readable, or not. With OK, that is, or when messages of a
/// stream may be left to read.
package final class CallEnding: Sendable {
  typealias Observer = @Sendable (CallEvent) -> Void

  private struct State {
    /// How the server ended the call, until the caller has read the answer.
    var held: Result<Metadata, CallError>?
    var observers: [Observer] = []
    /// What the caller makes of the answer.
    var verdict: Result<Void, CallError>?
    /// What the observers were told without waiting for the caller.
    var told: CallError?
  }

  private let state = Locked(State())
  private let isStream: Bool

  init(isStream: Bool) {
    self.isStream = isStream
  }

  /// Who observes the call in the place of these.
  func observers(for observers: [Observer]) -> [Observer] {
    if observers.isEmpty { return [] }
    return [{ event in self.hear(event, observers) }]
  }

  private func hear(_ event: CallEvent, _ observers: [Observer]) {
    guard case .end(let result) = event else { return Self.tell(event, observers) }
    let end = state.withLock { state -> Result<Metadata, CallError>? in
      if case .failure(let error)? = state.verdict { return .failure(error) }
      if state.verdict != nil { return result }
      if case .failure(let error) = result, !isStream || error.endsAtOnce {
        state.told = error
        return result
      }
      state.held = result
      state.observers = observers
      return nil
    }
    if let end { Self.tell(.end(end), observers) }
  }

  /// The caller has read the answer, or cannot or will not. The first verdict counts.
  ///
  /// - Returns: what ended the call before, without waiting for the caller.
  @discardableResult
  func conclude(_ error: CallError? = nil) -> CallError? {
    let (held, observers, told) = state.withLock { state in
      if state.verdict == nil { state.verdict = error.map { .failure($0) } ?? .success(()) }
      defer {
        state.held = nil
        state.observers = []
      }
      return (state.held, state.observers, state.told)
    }
    if let held { Self.tell(.end(error.map { .failure($0) } ?? held), observers) }
    return told
  }

  private static func tell(_ event: CallEvent, _ observers: [Observer]) {
    for observer in observers { observer(event) }
  }
}
