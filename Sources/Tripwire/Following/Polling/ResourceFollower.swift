import WireGRPC

/// Decides when a resource is polled, or that a source reports it, and keeps its state. Knows no clock and no
/// I/O.
///
///            follow                   wake                     answered, failed
///     idle ─────────► waiting(until) ──────► polling(poll) ─────────────┐
///      ▲                  ▲                      │  │                    │
///      │                  └──────────────────────┼──┼────────────────────┤
///      └── unfollow, from each; ◄────────────────┘  └─ a part is missing: polling, for the whole
///          a final resource ◄────────────────────────────────────────────┘
///
/// `suspend` prevents polls until `resume`; the resource ages meanwhile. A resource that is not polled is
/// `receiving` between `follow` and `unfollow`. A final resource is not followed again. After `close` nothing is.
struct ResourceFollower<Resource: FollowedResource>: Sendable {
  /// One request. The results of any other poll are ignored. A class, because it is passed on many times.
  final class Poll: Sendable {
    let id: UInt64
    let request: Resource.Request
    let due: ContinuousClock.Instant
    let began: ContinuousClock.Instant

    init(
      id: UInt64, request: Resource.Request, due: ContinuousClock.Instant,
      began: ContinuousClock.Instant
    ) {
      self.id = id
      self.request = request
      self.due = due
      self.began = began
    }
  }

  private enum Phase {
    case idle
    case waiting(until: StoredInstant)
    case polling(Poll)
    /// A source reports the resource.
    case receiving
    case closed
  }

  let name: String
  private let isPolled: Bool
  private var phase = Phase.idle
  private var isSuspended = false
  private var lastID: UInt64 = 0
  private var lastBegan: StoredInstant?
  private var latePolls: UInt32 = 0
  private var merge = ResourceMerge<Resource>()
  /// Of the last poll, if its response changed nothing. Fingerprints take too long for resources that change
  /// with each response.
  private(set) var lastExchange: ExchangeFingerprint?
  private var schedule = RefreshSchedule()
  private(set) var snapshot = ResourceSnapshot<Resource>()
  var options = ResourceModelOptions<Resource>() {
    didSet { optionsChanged(from: oldValue) }
  }

  /// - Parameter isPolled: false for a resource that a source reports.
  init(name: String, isPolled: Bool = true) {
    self.name = name
    self.isPolled = isPolled
  }

  // MARK: The app

  /// Starts following, with a poll at this instant. A final resource does not change any more.
  mutating func follow(at instant: ContinuousClock.Instant) {
    guard case .idle = phase, !isFinal else { return }
    schedule = RefreshSchedule()
    latePolls = 0
    snapshot.state = .active
    phase = isPolled ? .waiting(until: StoredInstant(instant)) : .receiving
  }

  /// Starts with a resource that another process received, before the first poll. Later polls continue from
  /// its version stamps.
  ///
  /// - Parameter options: of the request for it.
  mutating func seed(
    _ known: Resource, _ options: Resource.RequestOptions, refreshed: ContinuousClock.Instant
  ) {
    guard case .idle = phase, merge.held == nil else { return }
    let held = ReceivedResource(known)
    merge.seed(held, options)
    snapshot.refresh(held, began: nil, now: refreshed)
  }

  /// Delays the poll that is due.
  mutating func delayPoll(until instant: ContinuousClock.Instant) {
    if case .waiting(let until) = phase {
      phase = .waiting(until: max(until, StoredInstant(instant)))
    }
  }

  mutating func unfollow() {
    if case .closed = phase { return }
    phase = .idle
    snapshot.state = .inactive
  }

  /// Ends following for good. Unless the resource is final, the error is the reason why it cannot be refreshed.
  mutating func close(_ error: CallError, now: ContinuousClock.Instant) {
    if case .closed = phase { return }
    phase = .closed
    snapshot.state = .inactive
    if !isFinal { snapshot.fail(error, now: now) }
  }

  private var isFinal: Bool { snapshot.held?.resource.isFinal == true }

  /// Makes no polls until `resume`.
  mutating func suspend(now: ContinuousClock.Instant) {
    isSuspended = true
    if case .polling = phase { phase = .waiting(until: StoredInstant(now)) }
  }

  /// Continues, with a poll at once.
  mutating func resume(now: ContinuousClock.Instant) {
    guard isSuspended else { return }
    isSuspended = false
    if case .waiting = phase { phase = .waiting(until: StoredInstant(now)) }
  }

  private mutating func optionsChanged(from old: ResourceModelOptions<Resource>) {
    // The next report has the interval.
    if case .receiving = phase { return }
    snapshot.refreshInterval = options.refreshInterval
    let interval = RefreshSchedule.bounded(options.refreshInterval)
    // The app cannot shorten a pause after an error.
    guard interval < RefreshSchedule.bounded(old.refreshInterval), snapshot.failure == nil,
      case .waiting(let until) = phase, let lastBegan
    else { return }
    phase = .waiting(until: min(until, lastBegan + interval))
  }

  // MARK: Time

  /// When to wake the follower next if nothing else happens.
  var wakeTime: StoredInstant? {
    switch phase {
    case .idle, .closed: nil
    case .waiting(let until) where !isSuspended: min(until, snapshot.staleTime ?? until)
    case .waiting, .polling, .receiving: snapshot.staleTime
    }
  }

  var poll: Poll? {
    if case .polling(let poll) = phase { poll } else { nil }
  }

  /// Whether a source must report the resource.
  var isReceiving: Bool {
    if case .receiving = phase { !isSuspended } else { false }
  }

  /// When the next poll is due; nil during a poll, and if none is to come.
  var nextPoll: ContinuousClock.Instant? {
    if case .waiting(let until) = phase, !isSuspended { until.instant } else { nil }
  }

  var pollStatus: PollStatus {
    var last: (began: ContinuousClock.Instant, ended: ContinuousClock.Instant)?
    if let began = snapshot.pollBegan, let ended = snapshot.refreshed { last = (began, ended) }
    return PollStatus(
      last: last, refreshed: snapshot.refreshed, failure: snapshot.failure, next: nextPoll,
      lateCount: Int(latePolls))
  }

  mutating func wake(now: ContinuousClock.Instant) {
    snapshot.noticeAge(now: now)
    guard !isSuspended, case .waiting(let until) = phase, until <= StoredInstant(now) else {
      return
    }
    beginPoll(due: until.instant, now: now)
  }

  private mutating func beginPoll(due: ContinuousClock.Instant, now: ContinuousClock.Instant) {
    lastID += 1
    lastBegan = StoredInstant(now)
    var request = Resource.request(
      forName: name, header: options.header, options: options.requestOptions)
    merge.stamp(&request)
    phase = .polling(Poll(id: lastID, request: request, due: due, began: now))
  }

  private mutating func countIfLate(_ poll: Poll, now: ContinuousClock.Instant) {
    guard PollStatus.isLate(now - poll.due, interval: options.refreshInterval) else { return }
    latePolls &+= 1
  }

  // MARK: The server

  /// Takes a response. Its name may differ from the requested one, because a project has an ID and
  /// a number.
  ///
  /// - Parameters:
  ///   - exchange: computes the fingerprint; nil if the next response must be decoded even if it is equal to
  ///     this one.
  ///   - random: from 0 up to 1.
  mutating func answered(
    _ id: UInt64, _ answer: consuming Resource, exchange: (() -> ExchangeFingerprint)? = nil,
    now: ContinuousClock.Instant, random: Double
  ) {
    guard case .polling(let poll) = phase, poll.id == id else { return }
    if answer.name.isEmpty { answer.name = name }
    let known = merge.held
    let outcome = merge.take(answer, to: poll.request)
    lastExchange = nil
    if case .wholeNeeded = outcome {
      beginPoll(due: poll.due, now: now)
      return
    }
    if case .merged(let held) = outcome, held === known { lastExchange = exchange?() }
    finish(poll, outcome, now: now, random: random)
  }

  /// Takes a response whose fingerprint is ``lastExchange``: it changes nothing.
  ///
  /// - Parameter random: from 0 up to 1.
  mutating func confirmed(_ id: UInt64, now: ContinuousClock.Instant, random: Double) {
    guard case .polling(let poll) = phase, poll.id == id, let held = merge.held else { return }
    finish(poll, .merged(held), now: now, random: random)
  }

  private mutating func finish(
    _ poll: Poll, _ outcome: ResourceMerge<Resource>.Outcome, now: ContinuousClock.Instant,
    random: Double
  ) {
    countIfLate(poll, now: now)
    phase = .waiting(
      until: StoredInstant(
        schedule.answered(
          began: poll.began, now: now, interval: options.refreshInterval, random: random)))
    guard case .merged(let held) = outcome else { return }
    snapshot.refresh(held, began: poll.began, now: now)
    if held.resource.isFinal {
      merge.requestCompleteResource()
      unfollow()
    }
  }

  /// - Parameter random: from 0 up to 1.
  mutating func failed(
    _ id: UInt64, _ error: CallError, now: ContinuousClock.Instant, random: Double
  ) {
    guard case .polling(let poll) = phase, poll.id == id else { return }
    countIfLate(poll, now: now)
    // A resource that reappears is another one, and an unreadable response may be due to a version
    // stamp.
    if [.notFound, .internal, .dataLoss].contains(error.code) {
      merge.requestCompleteResource()
      lastExchange = nil
    }
    snapshot.fail(error, now: now)
    phase = .waiting(
      until: StoredInstant(
        schedule.failed(
          error, began: poll.began, now: now, interval: options.refreshInterval, random: random)))
  }

  // MARK: The source

  mutating func received(_ report: ResourceReport<Resource>, now: ContinuousClock.Instant) {
    guard isReceiving else { return }
    var report = report
    if report.resource?.name.isEmpty == true { report.resource?.name = name }
    report.refreshInterval = report.refreshInterval ?? options.refreshInterval
    snapshot.take(report, now: now)
    if report.resource?.isFinal == true { unfollow() }
  }
}
