import WireGRPC
import WireSystem

/// Has those who observe a call told how it ended for its caller: one that the server ended is not over
/// before the caller has found the answer readable, or not. With OK, that is, or when messages of a
/// stream may be left to read.
package final class CallEnding: Sendable {
  typealias Observer = @Sendable (CallEvent) -> Void

  private enum Verdict {
    case isRead
    /// The end that it gives the call.
    case cannotBeRead(CallEvent)
  }

  private struct State {
    /// The end that the server gave the call, until the caller has read the answer.
    var held: CallEvent?
    var observers: [Observer] = []
    /// What the caller makes of the answer.
    var verdict: Verdict?
    /// What the observers were told without waiting for the caller.
    var told: CallEvent?
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
    let end = state.withLock { state -> CallEvent? in
      switch state.verdict {
      case .cannotBeRead(let end): return end
      case .isRead: return event
      case nil: break
      }
      if case .failure(let error) = result, !isStream || error.endsAtOnce {
        state.told = event
        return event
      }
      state.held = event
      state.observers = observers
      return nil
    }
    if let end { Self.tell(end, observers) }
  }

  /// The caller has read the answer, or cannot or will not. The first verdict counts.
  ///
  /// - Returns: what ended the call before, without waiting for the caller.
  @discardableResult
  func conclude(_ error: CallError? = nil) -> CallError? {
    let end = error.map { CallEvent.end(.failure($0)) }
    let (held, observers, told) = state.withLock { state in
      if state.verdict == nil { state.verdict = end.map { .cannotBeRead($0) } ?? .isRead }
      defer {
        state.held = nil
        state.observers = []
      }
      return (state.held, state.observers, state.told)
    }
    if let held { Self.tell(end ?? held, observers) }
    if case .end(.failure(let error))? = told { return error }
    return nil
  }

  private static func tell(_ event: CallEvent, _ observers: [Observer]) {
    for observer in observers { observer(event) }
  }
}
