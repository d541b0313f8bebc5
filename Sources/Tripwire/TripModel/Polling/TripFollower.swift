import WireGRPC

/// Decides when a trip is asked for, and what is known of it. Knows no clock and no I/O.
///
///            follow                   wake                     answered, failed
///     idle ─────────► waiting(until) ──────► polling(poll) ─────────────┐
///      ▲                  ▲                      │  │                    │
///      │                  └──────────────────────┼──┼────────────────────┤
///      └── unfollow, from each; ◄────────────────┘  └─ a part is missing: polling, for the whole
///          a trip that is over ◄─────────────────────────────────────────┘
///
/// `suspend` holds it where it is until `resume`, without a poll; the trip ages meanwhile.
struct TripFollower: Sendable {
  /// One request. What comes of another than the present one is not heard.
  struct Poll: Sendable {
    let id: UInt64
    let request: GetTripRequest
    let began: ContinuousClock.Instant
  }

  private enum Phase {
    case idle
    case waiting(until: ContinuousClock.Instant)
    /// Apart, as there are many that wait.
    indirect case polling(Poll)
  }

  let name: String
  private var phase = Phase.idle
  private var isSuspended = false
  private var lastID: UInt64 = 0
  private var lastBegan: ContinuousClock.Instant?
  private var merge = TripMerge()
  private var schedule = RefreshSchedule()
  private(set) var snapshot = TripSnapshot()
  var options = TripModelOptions() {
    didSet { optionsChanged(from: oldValue) }
  }

  init(name: String) {
    self.name = name
  }

  // MARK: What the app does

  /// Begins, with a call at this instant.
  mutating func follow(at instant: ContinuousClock.Instant) {
    guard case .idle = phase else { return }
    schedule = RefreshSchedule()
    snapshot.state = .active
    phase = .waiting(until: instant)
  }

  mutating func unfollow() {
    phase = .idle
    snapshot.state = .inactive
  }

  /// Makes no calls until `resume`.
  mutating func suspend(now: ContinuousClock.Instant) {
    isSuspended = true
    if case .polling = phase { phase = .waiting(until: now) }
  }

  /// Goes on, with a call at once.
  mutating func resume(now: ContinuousClock.Instant) {
    guard isSuspended else { return }
    isSuspended = false
    if case .waiting = phase { phase = .waiting(until: now) }
  }

  private mutating func optionsChanged(from old: TripModelOptions) {
    snapshot.refreshInterval = options.refreshInterval
    let interval = RefreshSchedule.bounded(options.refreshInterval)
    // A pause after an error is not the app's to cut short.
    guard interval < RefreshSchedule.bounded(old.refreshInterval), snapshot.failure == nil,
      case .waiting(let until) = phase, let lastBegan
    else { return }
    phase = .waiting(until: min(until, lastBegan + interval))
  }

  // MARK: What time brings

  /// When to wake it next, if nothing happens before.
  var wakeTime: ContinuousClock.Instant? {
    switch phase {
    case .idle: nil
    case .waiting(let until) where !isSuspended: min(until, snapshot.staleTime ?? until)
    case .waiting, .polling: snapshot.staleTime
    }
  }

  /// The poll that is out, if there is one.
  var poll: Poll? {
    if case .polling(let poll) = phase { poll } else { nil }
  }

  /// When the next poll is due; nil while one is out, and when none is to come.
  var nextPoll: ContinuousClock.Instant? {
    if case .waiting(let until) = phase, !isSuspended { until } else { nil }
  }

  mutating func wake(now: ContinuousClock.Instant) {
    snapshot.noticeAge(now: now)
    guard !isSuspended, case .waiting(let until) = phase, until <= now else { return }
    beginPoll(now: now)
  }

  private mutating func beginPoll(now: ContinuousClock.Instant) {
    lastID += 1
    lastBegan = now
    var request = GetTripRequest()
    request.name = name
    request.header = options.header
    request.view = options.view
    request.routeFormatType = options.routeFormat
    merge.stamp(&request)
    phase = .polling(Poll(id: lastID, request: request, began: now))
  }

  // MARK: What the server brings

  /// Takes an answer, which is of the trip that was asked for, whatever its name: a provider has
  /// several, as a project has an ID and a number.
  ///
  /// - Parameter random: from 0 up to 1.
  mutating func answered(_ id: UInt64, _ answer: Trip, now: ContinuousClock.Instant, random: Double)
  {
    guard case .polling(let poll) = phase, poll.id == id else { return }
    var answer = answer
    if answer.name.isEmpty { answer.name = name }
    let outcome = merge.take(answer, to: poll.request)
    if case .wholeNeeded = outcome {
      beginPoll(now: now)
      return
    }
    phase = .waiting(
      until: schedule.answered(
        began: poll.began, now: now, interval: options.refreshInterval, random: random))
    guard case .merged(let held) = outcome else { return }
    snapshot.refresh(held, now: now)
    if held.trip.tripStatus.isFinal {
      merge.askForWhole()
      unfollow()
    }
  }

  /// - Parameter random: from 0 up to 1.
  mutating func failed(
    _ id: UInt64, _ error: CallError, now: ContinuousClock.Instant, random: Double
  ) {
    guard case .polling(let poll) = phase, poll.id == id else { return }
    // The trip is another when it is there again; and what cannot be read may be due to a stamp.
    if [.notFound, .internal, .dataLoss].contains(error.code) { merge.askForWhole() }
    snapshot.fail(error, now: now)
    phase = .waiting(
      until: schedule.failed(
        error, began: poll.began, now: now, interval: options.refreshInterval, random: random))
  }
}

extension TripStatus {
  /// Whether nothing comes after it.
  package var isFinal: Bool { self == .complete || self == .canceled }
}
