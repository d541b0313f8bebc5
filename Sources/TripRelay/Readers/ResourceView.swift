import WireProtobuf

/// Decides what a reader shows of a resource, and when it reads its last state and renews its request. Knows no clock
/// and no I/O.
///
/// A reader never shows a resource that is older than one it has shown, even if two workers poll it and NATS stores
/// their messages in any order. The states of one term are in order. A state of another term is shown if its poll began
/// when the last message that was shown, or a later one, was in the stream. Nothing follows a final state of the same
/// stream.
struct ResourceView: Sendable {
  enum Command: Sendable, Hashable {
    /// Read the last message of the stream, and call `take` and `readEnded`.
    case read
    /// Renew the poll request if necessary, and call `requestEnded`.
    ///
    /// `isUnanswered`: no state has arrived since the last renewal.
    case request(isUnanswered: Bool)
  }

  enum Verdict: Sendable, Hashable {
    case show
    /// The resource may be older than the one that is shown, but its error is new.
    case showError
    /// The state is not shown, but the reader receives states again: no problem is shown any more.
    case endProblem
    case ignore
  }

  /// A state that was received.
  struct Received: Sendable {
    /// When its stream was created.
    let streamTime: Timestamp
    /// Its number in the stream.
    let number: UInt64
    let term: Term
    let sequence: UInt64
    let polledAfter: UInt64
    let hasResource: Bool
    let hasError: Bool
    let isFinal: Bool
  }

  struct Term: Sendable, Hashable {
    let worker: String
    /// 0 for a worker of version 0.1.0.
    let number: UInt64
  }

  /// The time from one renewal of the request to the next, and without a state until the last one is read:
  /// NATS repeats no messages that were lost between its nodes.
  static let renewal = Duration.seconds(30)
  private static let pauseAfterFailure = Duration.seconds(1)
  /// How long the first state may take: a worker polls a requested resource at once, or after the lease of a
  /// worker that died.
  private static let firstState = Duration.seconds(10)

  private enum Request {
    case due(ContinuousClock.Instant)
    case sent
    /// It was sent before the reconnection.
    case outdated

    func isDue(at now: ContinuousClock.Instant) -> Bool {
      if case .due(let time) = self { time <= now } else { false }
    }
  }

  private struct StateID: Hashable {
    let term: Term
    let sequence: UInt64
  }

  private struct Shown {
    var streamTime: Timestamp
    var term: Term
    var sequence: UInt64
    /// A state of another term must have been polled after this message.
    var number: UInt64
    var isFinal: Bool
  }

  /// The last state that was shown.
  private var shown: Shown?
  /// Whether a problem is shown in place of a state.
  private(set) var showsProblem = false
  private let start: ContinuousClock.Instant
  private var reading: Request
  /// The number of states that were received, and how many there were when the reading began.
  private var received: (count: Int, beforeReading: Int) = (0, 0)
  private var requesting: Request
  /// The last state that was received.
  private var latest: StateID?
  /// The last state when the request was renewed.
  private var latestAtRequest: StateID?
  /// Whether the request was renewed since the last reconnection.
  private var isRequested = false

  init(at now: ContinuousClock.Instant) {
    start = now
    reading = .due(now)
    requesting = .due(now)
  }

  /// Whether the resource is final.
  var isOver: Bool { shown?.isFinal ?? false }

  // MARK: Commands

  /// Whether there is something to do.
  func isDue(at now: ContinuousClock.Instant) -> Bool {
    reading.isDue(at: now) || requesting.isDue(at: now) && !isOver
  }

  /// Returns the next thing to do; nil if there is none at present. Call it while NATS is connected.
  mutating func next(at now: ContinuousClock.Instant) -> Command? {
    if reading.isDue(at: now) {
      reading = .sent
      received.beforeReading = received.count
      return .read
    }
    if requesting.isDue(at: now), !isOver {
      requesting = .sent
      return .request(isUnanswered: isRequested && latest == latestAtRequest)
    }
    return nil
  }

  /// The last message was read and taken, or there is none.
  mutating func readEnded(at now: ContinuousClock.Instant) {
    endReading(then: Self.renewal, at: now)
  }

  mutating func readFailed(at now: ContinuousClock.Instant) {
    endReading(then: Self.pauseAfterFailure, at: now)
  }

  private mutating func endReading(then pause: Duration, at now: ContinuousClock.Instant) {
    if case .outdated = reading { reading = .due(now) } else { reading = .due(now + pause) }
  }

  /// The poll request is renewed.
  ///
  /// - Parameter random: from 0 up to 1. Many readers ask at different times, so that one of them renews for all.
  mutating func requestEnded(at now: ContinuousClock.Instant, random: Double) {
    requesting = .due(now + Self.renewal * (0.5 + random / 2))
    latestAtRequest = latest
    isRequested = true
  }

  mutating func requestFailed(at now: ContinuousClock.Instant) {
    requesting = .due(now + Self.pauseAfterFailure)
  }

  /// NATS may have stored messages while it was away, or lost the request; or the states are in another stream.
  mutating func reconnected(at now: ContinuousClock.Instant) {
    if case .due = reading { reading = .due(now) } else { reading = .outdated }
    if case .due = requesting { requesting = .due(now) }
    isRequested = false
  }

  /// The last message is not the one that was taken, or is not shown.
  mutating func readSoon(at now: ContinuousClock.Instant) {
    if case .due = reading { reading = .due(now) }
  }

  // MARK: States

  /// Takes a message of the live subject.
  mutating func take(_ state: Received, at now: ContinuousClock.Instant) -> Verdict {
    if case .due = reading { reading = .due(now + Self.renewal) }
    return take(state, isLast: false, at: now)
  }

  /// Takes the last message of the stream that was read; nil if there is none.
  mutating func take(last state: Received?, at now: ContinuousClock.Instant) -> Verdict {
    guard let state else { return endProblem() }
    return take(state, isLast: received.count == received.beforeReading, at: now)
  }

  private mutating func take(
    _ state: Received, isLast: Bool, at now: ContinuousClock.Instant
  ) -> Verdict {
    latest = StateID(term: state.term, sequence: state.sequence)
    received.count += 1
    guard let shown else { return state.hasResource || state.hasError ? show(state) : endProblem() }
    let isInSameStream = state.streamTime == shown.streamTime
    if shown.isFinal, isInSameStream { return endProblem() }
    if state.term == shown.term {
      if state.sequence > shown.sequence { return show(state) }
      return state.sequence == shown.sequence && showsProblem ? show(state) : endProblem()
    }
    if state.isFinal { return show(state) }
    if isInSameStream {
      // Workers of version 0.1.0 depend on the server's check of the last message.
      let wasShown = max(state.polledAfter, state.term.number == 0 ? state.number - 1 : 0)
      return wasShown >= shown.number ? show(state) : showError(state)
    }
    // A late message of a lost stream, or the clock of the server that created the new one is behind: the last
    // message is in the stream that exists.
    guard isLast || shown.streamTime.precedes(state.streamTime) else {
      readSoon(at: now)
      return .ignore
    }
    self.shown?.streamTime = state.streamTime
    self.shown?.number = state.number
    return showError(state)
  }

  private mutating func show(_ state: Received) -> Verdict {
    shown = Shown(
      streamTime: state.streamTime, term: state.term, sequence: state.sequence,
      number: state.number, isFinal: state.isFinal)
    showsProblem = false
    return .show
  }

  private mutating func showError(_ state: Received) -> Verdict {
    guard state.hasError else { return endProblem() }
    showsProblem = false
    return .showError
  }

  private mutating func endProblem() -> Verdict {
    defer { showsProblem = false }
    return showsProblem ? .endProblem : .ignore
  }

  // MARK: Problems

  /// A problem is shown in place of a state.
  mutating func problemShown() { showsProblem = true }

  /// Whether the first state is late.
  ///
  /// - Parameter healthy: since when the reader has no problem.
  func isStateMissing(
    since healthy: ContinuousClock.Instant, at now: ContinuousClock.Instant
  ) -> Bool {
    latest == nil && now - max(start, healthy) > Self.firstState
  }
}

extension Timestamp {
  fileprivate func precedes(_ other: Timestamp) -> Bool {
    (seconds, nanos) < (other.seconds, other.nanos)
  }
}
