import WireGRPC

/// The connectivity of a channel, and what happens to calls while it has no connection (gRPC
/// connectivity-semantics-and-api.md, wait-for-ready.md). Additional connections do not count here:
/// see ``ConnectionGrowth``.
///
///     idle ──call──▶ connecting ──ready──▶ ready
///      ▲               │    ▲                │
///      │            failed  └─call waits─┐   │ lost or draining
///      │               ▼                 │   │
///      ├──time──── transientFailure ─────┘   │
///      └─────────────────────────────────────┘
///     any ──shut down──▶ shutdown
struct ConnectivityStateMachine: ~Copyable {
  private enum State {
    case idle
    /// Indirect: the size of an instant is known only at run time. Inline, it would make the whole
    /// enum, which every call reads, dynamically sized.
    indirect case connecting(since: ContinuousClock.Instant)
    case ready
    indirect case transientFailure(CallError)
    case shutdown
  }

  enum CallAction {
    /// Queue the call until a stream is free; with `connect`, connect first.
    case queue(connect: Bool)
    indirect case fail(CallError)
  }

  private var state = State.idle
  private var backoff = ConnectionBackoff()
  private var uselessConnections = 0
  private static let uselessConnectionLimit = 3
  /// Whether attempts are made without backoff.
  let failsFast: Bool

  init(failsFast: Bool) {
    self.failsFast = failsFast
  }

  var isShutdown: Bool {
    if case .shutdown = state { true } else { false }
  }

  var isReady: Bool {
    if case .ready = state { true } else { false }
  }

  mutating func callArrived(
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

  mutating func connectionReady() {
    guard case .connecting = state else { return }
    state = .ready
    if uselessConnections <= Self.uselessConnectionLimit { backoff = ConnectionBackoff() }
  }

  /// The attempt failed with this error, which is also that of the waiting calls. Returns when to
  /// call `backoffEnded`; nil means that the next call connects.
  mutating func connectionFailed(
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

  /// The backoff after a failure has ended. Returns whether to connect.
  mutating func backoffEnded(callsWait: Bool, now: ContinuousClock.Instant) -> Bool {
    guard case .transientFailure = state else { return false }
    state = callsWait ? .connecting(since: now) : .idle
    return callsWait
  }

  enum LossAction {
    case none
    case connect
    /// Treat this as a failed attempt.
    case fail
  }

  /// The last connection accepts no more calls. If several connections in a row close without
  /// having answered a call, the next attempt waits for the backoff.
  ///
  /// - Parameter isDialing: whether another attempt is in progress.
  mutating func connectionLost(
    callsWait: Bool, wasUseful: Bool, isDialing: Bool = false, now: ContinuousClock.Instant
  ) -> LossAction {
    guard case .ready = state else { return .none }
    uselessConnections = wasUseful ? 0 : uselessConnections + 1
    state = callsWait || isDialing ? .connecting(since: now) : .idle
    guard callsWait, !isDialing else { return .none }
    return uselessConnections > Self.uselessConnectionLimit ? .fail : .connect
  }

  mutating func shutDown() {
    state = .shutdown
  }

  static let closed = {
    var error = CallError.local(.unavailable, "the channel is closed")
    error.isChannelClosed = true
    return error
  }()
}
