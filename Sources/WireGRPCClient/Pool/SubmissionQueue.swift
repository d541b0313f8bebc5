import WireGRPC
import WireIO
import WireSystem

/// Passes work from any thread to the loop, which is woken once for all work since it looked.
final class SubmissionQueue: Sendable {
  /// The submitted work, in the order in which it is processed.
  struct Content {
    var calls: [CallRequest] = []
    /// The IDs of calls whose tasks were canceled. A cancellation may arrive in an earlier batch
    /// than its call, so submitters check for cancellation again after they submit.
    var cancellations: [UInt64] = []
    /// The IDs of streaming calls whose callers sent messages, or read so much that the server may
    /// send more.
    var activeStreams: [UInt64] = []
    var closers: [Waiter<Void>] = []
    /// When to cancel the calls that are still in flight.
    var graceEnd: ContinuousClock.Instant?
    var isAbandoned = false

    var isEmpty: Bool {
      calls.isEmpty && cancellations.isEmpty && activeStreams.isEmpty && closers.isEmpty
        && graceEnd == nil && !isAbandoned
    }

    fileprivate mutating func endGrace(at instant: ContinuousClock.Instant) {
      graceEnd = graceEnd.map { min($0, instant) } ?? instant
    }
  }

  private struct State {
    var content = Content()
    var reader: Waiter<Void>?
    /// The loop no longer takes work.
    var isClosed = false
  }

  private let state = Locked(State())

  func submit(_ call: CallRequest) {
    let isTaken = add { $0.calls.append(call) }
    if !isTaken { call.refuse(ConnectivityStateMachine.closed) }
  }

  /// Notifies the loop that the caller of a streaming call has sent or read.
  func streamActivity(_ id: UInt64) {
    _ = add { $0.activeStreams.append(id) }
  }

  func cancel(_ id: UInt64) {
    _ = add { $0.cancellations.append(id) }
  }

  func close(_ closer: Waiter<Void>, graceEnd: ContinuousClock.Instant) {
    let isTaken = add {
      $0.closers.append(closer)
      $0.endGrace(at: graceEnd)
    }
    if !isTaken { closer.resume() }
  }

  /// Ends the grace period of a current or later close.
  func endGrace() {
    _ = add { $0.endGrace(at: .now) }
  }

  func abandon() {
    _ = add { $0.isAbandoned = true }
  }

  private func add(_ change: (inout Content) -> Void) -> Bool {
    let (isTaken, reader) = state.withLock { state in
      guard !state.isClosed else { return (false, nil as Waiter<Void>?) }
      change(&state.content)
      defer { state.reader = nil }
      return (true, state.reader)
    }
    reader?.resume()
    return isTaken
  }

  // MARK: The loop's side

  func wait(_ reader: Waiter<Void>) {
    let isReady = state.withLock { state in
      guard state.content.isEmpty else { return true }
      state.reader = reader
      return false
    }
    if isReady { reader.resume() }
  }

  /// Resumes the reader even if there is no work.
  func wake() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }

  /// Takes the work. With `closing`, all later work is rejected.
  func take(closing: Bool = false) -> Content {
    state.withLock { state in
      if closing { state.isClosed = true }
      defer { state.content = Content() }
      return state.content
    }
  }
}

extension CallRequest {
  func refuse(_ error: CallError) {
    let outcome = CallOutcome(end: .failed(error), attempts: 0)
    let isObserved = !observers.isEmpty
    if isObserved { reportStart() }
    switch caller {
    case .waiter(let waiter, _):
      if isObserved { reportEnd(.failure(error), attempts: 0) }
      waiter.resume(returning: outcome)
    case .callback(let loop, let completion):
      if isObserved { reportEnd(.failure(error), attempts: 0) }
      loop.execute { completion(outcome) }
    case .exchange(let exchange):
      var wakers: [CallExchange.Waker] = []
      let given = exchange.requests.withLock { $0.take(waking: &wakers) }
      if isObserved {
        if let given { reportRequest(given.bytes, isLast: given.isLast) }
        reportEnd(.failure(error), attempts: 0)
      }
      wakers += exchange.end(.failure(error), attempts: 0)
      for waker in wakers { waker.waiter.resume() }
    }
  }
}
