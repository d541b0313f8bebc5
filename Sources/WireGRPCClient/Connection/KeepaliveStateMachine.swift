/// Decides when to ping on a connection and when the connection is lost (gRFC A8). Has no clock.
///
///     watching ──silence──▶ pinging ─silence──▶ lost
///      ▲   │ ▲                 │
///      │   │ └──any byte───────┘
///      │   └──silence, no call──▶ resting
///      └──────call starts────────────┘
///
/// All times count from the last byte read, never from the last ping, and any byte is an answer. A byte
/// does not move the timer, which checks the time of the last byte when it fires.
struct KeepaliveStateMachine: Sendable {
  enum Action: Equatable {
    /// Call ``timerFired(hasCalls:now:)`` then.
    case check(at: ContinuousClock.Instant)
    /// Send a PING, and call ``timerFired(hasCalls:now:)`` then.
    case ping(check: ContinuousClock.Instant)
    /// Do nothing until a call starts.
    case rest
    /// Give the connection up.
    case lose
  }

  private enum State {
    case watching
    case pinging(since: ContinuousClock.Instant)
    case resting
  }

  private let settings: Keepalive
  private var state = State.watching
  private var lastRead: ContinuousClock.Instant

  /// - Parameter now: when the connection became ready.
  init(_ settings: Keepalive, now: ContinuousClock.Instant) {
    self.settings = settings
    lastRead = now
  }

  /// How long the peer may take to answer a ping.
  var timeout: Duration { settings.timeout }

  mutating func bytesReceived(now: ContinuousClock.Instant) {
    lastRead = now
  }

  var isResting: Bool {
    if case .resting = state { true } else { false }
  }

  /// Call it while it is resting.
  mutating func callStarted(now: ContinuousClock.Instant) -> Action {
    state = .watching
    return timerFired(hasCalls: true, now: now)
  }

  mutating func timerFired(hasCalls: Bool, now: ContinuousClock.Instant) -> Action {
    if case .pinging(let since) = state {
      if lastRead <= since {
        let due = since + settings.timeout
        return now < due ? .check(at: due) : .lose
      }
      state = .watching
    }
    let due = lastRead + settings.time
    if now < due { return .check(at: due) }
    guard hasCalls || settings.withoutCalls else {
      state = .resting
      return .rest
    }
    state = .pinging(since: now)
    // The answer may come at once and be followed by another silence.
    return .ping(check: now + min(settings.time, settings.timeout))
  }
}
