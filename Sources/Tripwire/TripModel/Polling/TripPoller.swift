import WireIO

/// Polls the followed trips of a service, on the loop of the service's channel.
///
/// The loop is this actor's executor: timers, calls and responses of all trips share one thread, and
/// nothing here needs a lock. Timers are rounded up to ticks, so that the calls of one tick leave in
/// one write, and their responses arrive in few reads.
actor TripPoller {
  /// A trip that is followed.
  private final class Entry {
    let trip: PolledTrip
    var poll: (id: UInt64, task: Task<Void, Never>)?
    var timer: (time: ContinuousClock.Instant, LoopTimer)?

    init(_ trip: PolledTrip) {
      self.trip = trip
    }
  }

  private static let tick = Duration.milliseconds(20)
  /// The maximum number of first polls in one tick, because responses to many of them take much memory.
  private static let firstPollsPerTick = 32

  nonisolated let clock: any RefreshClock
  private let loop: EventLoop
  private let origin: ContinuousClock.Instant
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var generator = JitterGenerator()
  private var firstPolls: (tick: Int64, count: Int) = (0, 0)
  /// Subscriptions to notify at the end of the loop's round.
  private var notices: [(TripSubscription, TripModel)] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  init(loop: EventLoop, clock: any RefreshClock = ContinuousClock()) {
    self.loop = loop
    self.clock = clock
    origin = clock.now
  }

  /// Polls a trip that any thread has changed, or stops polling it.
  nonisolated func tripChanged(_ trip: PolledTrip, _ outcome: PolledTrip.Outcome) {
    loop.execute { self.assumeIsolated { $0.take(trip, outcome) } }
  }

  private func take(_ trip: PolledTrip, _ outcome: PolledTrip.Outcome) {
    notify(outcome)
    let id = ObjectIdentifier(trip)
    if let entry = entries[id] {
      wake(entry)
    } else if trip.snapshot.state == .active {
      let entry = Entry(trip)
      entries[id] = entry
      let now = clock.now
      let first = placeOfFirstPoll(now)
      if first > now { trip.delayPoll(until: first) }
      wake(entry)
    }
  }

  /// When the first poll of a trip begins: now, unless the first polls of many others do.
  func placeOfFirstPoll(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let present = tick(at: now)
    if firstPolls.tick < present { firstPolls = (present, 0) }
    if firstPolls.count == Self.firstPollsPerTick { firstPolls = (firstPolls.tick + 1, 0) }
    firstPolls.count += 1
    return firstPolls.tick == present ? now : instant(of: firstPolls.tick)
  }

  /// The first tick that is not before the instant.
  private func tick(at instant: ContinuousClock.Instant) -> Int64 {
    Int64(((instant - origin) / Self.tick).rounded(.up))
  }

  private func instant(of tick: Int64) -> ContinuousClock.Instant {
    origin + Self.tick * Double(tick)
  }

  // MARK: One trip

  private func wake(_ entry: Entry) {
    settle(entry, entry.trip.update { follower, now in follower.wake(now: now) })
  }

  /// Starts and cancels the entry's call and timer to match the trip's new state.
  private func settle(_ entry: Entry, _ outcome: PolledTrip.Outcome) {
    if let poll = entry.poll, poll.id != outcome.pollID {
      poll.task.cancel()
      entry.poll = nil
    }
    if entry.poll == nil, let id = outcome.pollID { begin(id, of: entry) }
    if outcome.wakeTime != entry.timer?.time {
      entry.timer?.1.cancel()
      entry.timer = outcome.wakeTime.map { ($0, timer(at: $0, for: entry)) }
    }
    if !outcome.isActive { entries[ObjectIdentifier(entry.trip)] = nil }
    notify(outcome)
  }

  private func timer(at time: ContinuousClock.Instant, for entry: Entry) -> LoopTimer {
    clock.schedule(at: instant(of: tick(at: time)), on: loop) {
      entry.timer = nil
      self.wake(entry)
    }
  }

  private func begin(_ id: UInt64, of entry: Entry) {
    guard let (poll, options) = entry.trip.poll, poll.id == id else { return }
    // Prefers the loop, so that the task resumes there when the response arrives.
    let task = Task(executorPreference: loop.taskExecutor) { [trip = entry.trip] in
      self.pollEnded(id, of: trip, await trip.fetch(poll.request, options))
    }
    entry.poll = (id, task)
  }

  private nonisolated func pollEnded(
    _ id: UInt64, of trip: PolledTrip, _ answer: PolledTrip.Answer
  ) {
    let result = answer()
    assumeIsolated { $0.finish(id, of: trip, result) }
  }

  private func finish(_ id: UInt64, of trip: PolledTrip, _ result: Result<Trip, CallError>) {
    let random = Double.random(in: 0..<1, using: &generator)
    guard let entry = entries[ObjectIdentifier(trip)], entry.poll?.id == id else { return }
    entry.poll = nil
    settle(
      entry,
      trip.update { follower, now in
        switch result {
        case .success(let trip): follower.answered(id, trip, now: now, random: random)
        case .failure(let error): follower.failed(id, error, now: now, random: random)
        }
        follower.wake(now: now)
      })
  }

  // MARK: Notices

  /// Wakes the readers of a trip at the end of the loop's round, together with those of other trips,
  /// because waking another thread costs as much as a poll.
  private func notify(_ outcome: PolledTrip.Outcome) {
    guard !outcome.readers.isEmpty, let model = outcome.model else { return }
    if notices.isEmpty { loop.atEndOfRound { self.sendNotices() } }
    notices += outcome.readers.map { ($0, model) }
  }

  private func sendNotices() {
    let notices = notices
    self.notices = []
    for (reader, model) in notices { reader.wake(model) }
  }
}
