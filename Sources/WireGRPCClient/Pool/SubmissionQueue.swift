import WireGRPC
import WireSystem

/// Where callers of any thread leave work for the loop, which is woken once for all that came
/// since it last looked.
final class SubmissionQueue: Sendable {
  /// What came, in the order in which it is to be handled.
  struct Content {
    var calls: [CallRequest] = []
    /// The ids of calls whose tasks were cancelled. A call may be here before it is in `calls`
    /// only in another batch: who submits looks again afterwards.
    var cancellations: [UInt64] = []
    /// The ids of streaming calls whose callers gave messages, or took so many that the server may
    /// send more.
    var activeStreams: [UInt64] = []
    /// Those who wait for a graceful end.
    var closers: [Waiter<Void>] = []
    /// When the calls are to be cancelled that are in flight still.
    var graceEnd: ContinuousClock.Instant?
    /// Nobody can call any more.
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
    /// Nobody reads any more.
    var isClosed = false
  }

  private let state = Locked(State())

  func submit(_ call: CallRequest) {
    let isTaken = add { $0.calls.append(call) }
    if !isTaken { call.refuse(ConnectivityStateMachine.closed) }
  }

  /// Has the loop look at what the caller of a streaming call has done.
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

  /// Has a close that was asked for, or will be, wait for no call.
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

  /// Resumes `reader` as soon as there is something.
  func wait(_ reader: Waiter<Void>) {
    let isReady = state.withLock { state in
      guard state.content.isEmpty else { return true }
      state.reader = reader
      return false
    }
    if isReady { reader.resume() }
  }

  /// Resumes the reader though there may be nothing to read.
  func wake() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }

  func take() -> Content {
    state.withLock { state in
      defer { state.content = Content() }
      return state.content
    }
  }

  /// From here on nothing is taken; what was there is returned.
  func closeForGood() -> Content {
    state.withLock { state in
      state.isClosed = true
      defer { state.content = Content() }
      return state.content
    }
  }
}

extension CallRequest {
  /// Ends the call that never was.
  func refuse(_ error: CallError) {
    switch caller {
    case .waiter(let waiter, _):
      tellRefusal(body, isLast: true, error)
      waiter.resume(returning: CallOutcome(.failed(error), attempts: 0))
    case .exchange(let exchange):
      var wakers: [CallExchange.Waker] = []
      let given = exchange.takeRequests(waking: &wakers)
      tellRefusal(given?.bytes ?? [], isLast: given?.isLast ?? false, error)
      wakers += exchange.end(.failure(error), attempts: 0)
      for waker in wakers { waker.waiter.resume() }
    }
  }

  private func tellRefusal(_ frames: [UInt8], isLast: Bool, _ error: CallError) {
    guard !observers.isEmpty else { return }
    observers.tellRefusal(
      of: path, start: .start(metadata: metadata, timeout: timeout),
      MessageFramer.messages(in: frames), isLast: isLast, error)
  }
}
