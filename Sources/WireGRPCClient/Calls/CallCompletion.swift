import WireGRPC
import WireSystem

/// Delays the end of a call for its observers until the caller has decoded the response, because
/// decoding may turn OK into an error.
///
/// A failed unary call has nothing to decode, so its end is reported at once. The end of a stream
/// is always delayed, because there may be messages left to read.
final class CallCompletion: Sendable {
  private enum DecodingResult {
    case succeeded
    case failed(CallEvent)
  }

  private struct State {
    /// The server's end of the call and its observers, until the caller has read the response.
    var held: (end: CallEvent, observers: CallObservers)?
    var decoding: DecodingResult?
    /// The end that was reported before the caller's result.
    var reported: CallEvent?
  }

  private let state = Locked(State())
  private let isStream: Bool

  init(isStream: Bool) {
    self.isStream = isStream
  }

  /// Receives the end of the call, and delivers it to the observers now or later.
  func receive(
    _ event: CallEvent, _ result: Result<Metadata, CallError>, for observers: CallObservers
  ) {
    let end = state.withLock { state -> CallEvent? in
      switch state.decoding {
      case .failed(let end): return end
      case .succeeded: return event
      case nil: break
      }
      if case .failure(let error) = result, !isStream || error.endsAtOnce {
        state.reported = event
        return event
      }
      state.held = (event, observers)
      return nil
    }
    if let end { observers.deliver(end) }
  }

  /// Records that the response is decoded, or why it is not. Only the first result is used.
  ///
  /// - Returns: the error that was reported to observers before this result.
  @discardableResult
  func finish(_ error: CallError? = nil) -> CallError? {
    let end = error.map { CallEvent.end(.failure($0)) }
    let (held, reported) = state.withLock { state in
      if state.decoding == nil { state.decoding = end.map { .failed($0) } ?? .succeeded }
      return (state.held.take(), state.reported)
    }
    if let held { held.observers.deliver(end ?? held.end) }
    if case .end(.failure(let error))? = reported { return error }
    return nil
  }
}
