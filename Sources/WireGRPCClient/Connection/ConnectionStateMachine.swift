/// The phases of a connection, from dial to end, and its number of calls (RFC 9113 §6.5, §6.8).
///
///     connecting ──TCP──▶ tunneling ──CONNECT──▶ securing ──TLS──▶ settling ──SETTINGS──▶ ready
///          └───────────no proxy───────────────────▲  └──no TLS──────▲                      │
///                                                            GOAWAY, drain, ids used up    ▼
///     any ──failure, connect timeout──▶ closed ◀──────────last call ends──────────── draining
struct ConnectionStateMachine: ~Copyable {
  enum Phase: Comparable {
    case connecting
    case tunneling
    case securing
    case settling
    case ready
    case draining
    case closed
  }

  enum Action: Equatable {
    case none
    case startHTTP2
    case becomeReady
    /// There may be room for more calls.
    case takeCalls
    /// Later calls need another connection; the present ones continue.
    case leave
    /// Close: there is no call left.
    case close
    case timeOut(Phase)
  }

  private(set) var phase = Phase.connecting
  private var activeCalls = 0
  /// The end of the last call; nil while there are calls.
  private var idleSince: ContinuousClock.Instant?
  private var maxConcurrentStreams = 0
  /// The maximum number of concurrent calls: the peer's limit, or less during a pause.
  private var limit = 0
  private(set) var isPausing = false
  private(set) var hasBeenReady = false

  /// The number of calls that may be added now.
  var capacity: Int {
    phase == .ready ? max(0, limit - activeCalls) : 0
  }

  /// Whether its calls fill it, so that another connection would help. A connection whose peer allows
  /// no call at all is not full: another would be no better.
  var isFull: Bool {
    phase == .ready && activeCalls > 0 && capacity == 0
  }

  var hasCalls: Bool { activeCalls > 0 }

  // MARK: Becoming ready

  mutating func transportConnected(usesProxy: Bool = false, usesTLS: Bool) -> Action {
    guard phase == .connecting else { return .none }
    phase = .tunneling
    return usesProxy ? .none : tunnelOpened(usesTLS: usesTLS)
  }

  mutating func tunnelOpened(usesTLS: Bool) -> Action {
    guard phase == .tunneling else { return .none }
    phase = usesTLS ? .securing : .settling
    return usesTLS ? .none : .startHTTP2
  }

  mutating func tlsEstablished() -> Action {
    guard phase == .securing else { return .none }
    phase = .settling
    return .startHTTP2
  }

  /// The peer's first SETTINGS make the connection ready; later ones may allow more calls.
  mutating func settingsReceived(
    maxConcurrentStreams: Int, now: ContinuousClock.Instant
  ) -> Action {
    self.maxConcurrentStreams = maxConcurrentStreams
    limit = isPausing ? min(limit, maxConcurrentStreams) : maxConcurrentStreams
    switch phase {
    case .settling:
      phase = .ready
      hasBeenReady = true
      idleSince = now
      return .becomeReady
    case .ready:
      return .takeCalls
    case .connecting, .tunneling, .securing, .draining, .closed:
      return .none
    }
  }

  mutating func connectTimerFired() -> Action {
    guard phase < .ready else { return .none }
    defer { phase = .closed }
    return .timeOut(phase)
  }

  // MARK: Calls

  mutating func callStarted() {
    activeCalls += 1
    idleSince = nil
  }

  mutating func callEnded(now: ContinuousClock.Instant) -> Action {
    activeCalls -= 1
    if activeCalls == 0 { idleSince = now }
    switch phase {
    case .ready: return .takeCalls
    case .draining: return closeIfIdle()
    case .connecting, .tunneling, .securing, .settling, .closed: return .none
    }
  }

  /// The peer refused a call for lack of room: until ``resume()``, the other calls are the limit.
  mutating func pause() {
    isPausing = true
    limit = min(limit, activeCalls - 1)
  }

  mutating func resume() -> Action {
    isPausing = false
    limit = maxConcurrentStreams
    return phase == .ready ? .takeCalls : .none
  }

  /// When to close unless a call starts before; nil while there are calls.
  func idleDeadline(_ timeout: Duration) -> ContinuousClock.Instant? {
    phase == .ready ? idleSince.map { $0 + timeout } : nil
  }

  // MARK: The end

  /// Ends the acceptance of calls: the peer sent GOAWAY, the stream IDs are used up, or the channel
  /// closes. A second GOAWAY changes nothing here: the streams that it ends are reported one by one.
  mutating func leave() -> Action {
    switch phase {
    case .ready:
      phase = .draining
      return activeCalls > 0 ? .leave : closeIfIdle()
    case .connecting, .tunneling, .securing, .settling:
      phase = .closed
      return .close
    case .draining, .closed:
      return .none
    }
  }

  mutating func lost() {
    phase = .closed
  }

  private mutating func closeIfIdle() -> Action {
    guard activeCalls <= 0 else { return .none }
    phase = .closed
    return .close
  }
}
