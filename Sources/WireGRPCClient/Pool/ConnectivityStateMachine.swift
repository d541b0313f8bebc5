package import WireGRPC

/// Whether a channel has a connection, and what becomes of calls while it has none (gRPC
/// connectivity-semantics-and-api.md, wait-for-ready.md). Connections beside the first change nothing
/// here: see ``ConnectionGrowth``.
///
///     idle ──call──▶ connecting ──ready──▶ ready
///      ▲               │    ▲                │
///      │            failed  └─call waits─┐   │ lost, or going away
///      │               ▼                 │   │
///      ├──time──── transientFailure ─────┘   │
///      └─────────────────────────────────────┘
///     any ──shut down──▶ shutdown
package struct ConnectivityStateMachine: ~Copyable {
  private enum State {
    case idle
    /// Apart, as how large an instant is is only known at run time: so what each call looks at would be.
    indirect case connecting(since: ContinuousClock.Instant)
    case ready
    indirect case transientFailure(CallError)
    case shutdown
  }

  package enum CallAction {
    /// Keep the call until a stream is free; with `connect`, dial first.
    case queue(connect: Bool)
    indirect case fail(CallError)
  }

  private var state = State.idle
  private var backoff = ConnectionBackoff()
  private var uselessConnections = 0
  private static let patience = 3
  private let failsFast: Bool

  /// - Parameter failsFast: whether attempts are not spaced by back-off.
  package init(failsFast: Bool) {
    self.failsFast = failsFast
  }

  package var isShutdown: Bool {
    if case .shutdown = state { true } else { false }
  }

  package var isReady: Bool {
    if case .ready = state { true } else { false }
  }

  package mutating func callArrived(
    waitForReady: Bool, now: ContinuousClock.Instant
  ) -> CallAction {
    switch state {
    case .idle:
      state = .connecting(since: now)
      return .queue(connect: true)
    case .connecting, .ready:
      return .queue(connect: false)
    case .transientFailure(let error):
      return waitForReady ? .queue(connect: false) : .fail(error)
    case .shutdown:
      return .fail(Self.closed)
    }
  }

  package mutating func connectionReady() {
    guard case .connecting = state else { return }
    state = .ready
    if uselessConnections <= Self.patience { backoff = ConnectionBackoff() }
  }

  /// The attempt failed with this error, which is that of the waiting calls too. Returns when to
  /// call `backoffEnded`; nil means at the next call.
  package mutating func connectionFailed(
    _ error: CallError, now: ContinuousClock.Instant, random: Double
  ) -> ContinuousClock.Instant? {
    guard case .connecting(let since) = state else { return nil }
    if failsFast {
      state = .idle
      return nil
    }
    state = .transientFailure(error)
    return max(now, since + backoff.next(random: random))
  }

  /// The time to wait after a failure is over. Returns whether to dial.
  package mutating func backoffEnded(callsWait: Bool, now: ContinuousClock.Instant) -> Bool {
    guard case .transientFailure = state else { return false }
    state = callsWait ? .connecting(since: now) : .idle
    return callsWait
  }

  package enum GoneAction {
    case none
    case connect
    /// Treat it as an attempt that failed.
    case fail
  }

  /// The last connection takes no more calls. One that did not answer a single call was of no use;
  /// should several of these come in a row, the server is not asked again at once.
  ///
  /// - Parameter isDialling: whether another is on its way already.
  package mutating func connectionGone(
    callsWait: Bool, wasUseful: Bool, isDialling: Bool = false, now: ContinuousClock.Instant
  ) -> GoneAction {
    guard case .ready = state else { return .none }
    uselessConnections = wasUseful ? 0 : uselessConnections + 1
    state = callsWait || isDialling ? .connecting(since: now) : .idle
    guard callsWait, !isDialling else { return .none }
    return uselessConnections > Self.patience ? .fail : .connect
  }

  package mutating func shutDown() {
    state = .shutdown
  }

  package static let closed = {
    var error = CallError.local(.unavailable, "the channel is closed")
    error.isOfClosedChannel = true
    return error
  }()
}
