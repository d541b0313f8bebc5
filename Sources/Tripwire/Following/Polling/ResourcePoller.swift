import WireIO

/// Polls the followed resources of one kind, or takes the reports of their source, on the loop of the service's
/// channel.
///
/// The loop is this actor's executor: timers, calls and responses of all resources share one thread, and
/// nothing here needs a lock. Timers are rounded up to ticks, so that the calls of one tick leave in
/// one write, and their responses arrive in few reads.
actor ResourcePoller<Resource: FollowedResource> {
  typealias Polled = PolledResource<Resource>

  /// A resource that is followed.
  private final class Entry {
    let resource: Polled
    /// The poll in flight, and how it is canceled.
    var poll: (id: UInt64, cancel: @Sendable () -> Void)?
    var timer: (time: StoredInstant, LoopTimer)?
    /// The request to the source, and what stops it; nil while the source is not asked. Reports to earlier
    /// requests are ignored.
    var source: (id: Int, stop: @Sendable () -> Void)?

    init(_ resource: Polled) {
      self.resource = resource
    }
  }

  private static var tick: Duration { .milliseconds(20) }
  /// The maximum number of first polls in one tick, because responses to many of them take much memory.
  private static var firstPollsPerTick: Int { 32 }

  nonisolated let loop: EventLoop
  private let origin: ContinuousClock.Instant
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var generator = JitterGenerator()
  private var firstPolls: (tick: Int64, count: Int) = (0, 0)
  /// The number of requests to the source.
  private var sourceRequests = 0
  /// Subscriptions to notify at the end of the loop's round.
  private var pendingWakes: [(ModelSubscription<Resource>, ResourceModel<Resource>)] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  init(loop: EventLoop) {
    self.loop = loop
    origin = loop.now
  }

  /// Polls a resource that any thread has changed, or stops polling it.
  nonisolated func resourceChanged(_ resource: Polled, _ outcome: Polled.Outcome) {
    loop.execute { self.assumeIsolated { $0.take(resource, outcome) } }
  }

  private func take(_ resource: Polled, _ outcome: Polled.Outcome) {
    notify(outcome)
    let id = ObjectIdentifier(resource)
    if let entry = entries[id] {
      wake(entry)
    } else if resource.snapshot.state == .active {
      let entry = Entry(resource)
      entries[id] = entry
      if resource.origin.isPolled {
        let now = loop.now
        let first = placeOfFirstPoll(now)
        if first > now { resource.delayPoll(until: first) }
      }
      wake(entry)
    }
  }

  /// When the first poll of a resource begins: now, unless the first polls of many others do.
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

  // MARK: One resource

  private func wake(_ entry: Entry) {
    settle(entry, entry.resource.update { follower, now in follower.wake(now: now) })
  }

  /// Starts and cancels the entry's call, source and timer to match the resource's new state.
  private func settle(_ entry: Entry, _ outcome: Polled.Outcome) {
    if let poll = entry.poll, poll.id != outcome.pollID {
      poll.cancel()
      entry.poll = nil
    }
    if entry.poll == nil, let id = outcome.pollID { begin(id, of: entry) }
    if outcome.wakeTime != entry.timer?.time {
      entry.timer?.1.cancel()
      entry.timer = outcome.wakeTime.map { ($0, timer(at: $0, for: entry)) }
    }
    if !outcome.isActive { entries[ObjectIdentifier(entry.resource)] = nil }
    if !outcome.isReceiving {
      entry.source.take()?.stop()
    } else if entry.source == nil {
      start(entry)
    }
    notify(outcome)
  }

  private func timer(at time: StoredInstant, for entry: Entry) -> LoopTimer {
    loop.schedule(at: instant(of: tick(at: time.instant))) {
      entry.timer = nil
      self.wake(entry)
    }
  }

  private func begin(_ id: UInt64, of entry: Entry) {
    guard case .server(let fetch) = entry.resource.origin,
      let (poll, options) = entry.resource.poll, poll.id == id
    else { return }
    let start = fetch.begin(poll.request, options) {
      [resource = entry.resource] result in
      self.assumeIsolated { $0.callEnded(id, of: resource, result) }
    }
    switch start {
    case .calling(let cancel): entry.poll = (id, cancel)
    case .task(let work): run(work, id, of: entry)
    }
  }

  private func callEnded(
    _ id: UInt64, of resource: Polled, _ result: ResourceFetch<Resource>.CallResult
  ) {
    guard let entry = entries[ObjectIdentifier(resource)], entry.poll?.id == id else {
      if case .answered(let answer) = result { answer.skip() }
      return
    }
    switch result {
    case .answered(let answer): finish(id, of: entry, answer)
    case .task(let work): run(work, id, of: entry)
    }
  }

  private func run(
    _ work: @escaping ResourceFetch<Resource>.Work, _ id: UInt64, of entry: Entry
  ) {
    // Prefers the loop, so that the task resumes there when the response arrives.
    let task = Task(executorPreference: loop.taskExecutor) { [resource = entry.resource] in
      self.workEnded(id, of: resource, await work())
    }
    entry.poll = (id, { task.cancel() })
  }

  private nonisolated func workEnded(
    _ id: UInt64, of resource: Polled, _ answer: ResourceFetch<Resource>.Answer
  ) {
    assumeIsolated { $0.callEnded(id, of: resource, .answered(answer)) }
  }

  private func finish(
    _ id: UInt64, of entry: Entry, _ answer: ResourceFetch<Resource>.Answer
  ) {
    let random = Double.random(in: 0..<1, using: &generator)
    entry.poll = nil
    // Most responses are equal to the last one, and decoding takes most of the time of a poll.
    let isKnown = entry.resource.lastExchange.map { $0 == answer.exchange?() } ?? false
    if isKnown { answer.skip() }
    var result = isKnown ? nil : Result(catching: answer.decode)
    settle(
      entry,
      entry.resource.update { follower, now in
        // Taken, because a copy of a resource counts the references of all its parts.
        switch result.take() {
        case nil:
          follower.confirmed(id, now: now, random: random)
        case .success(let resource):
          follower.answered(id, resource, exchange: answer.exchange, now: now, random: random)
        case .failure(let error):
          follower.failed(id, error, now: now, random: random)
        }
        follower.wake(now: now)
      })
  }

  // MARK: Sources

  private func start(_ entry: Entry) {
    guard case .source(let follow) = entry.resource.origin else { return }
    sourceRequests += 1
    let (resource, id) = (entry.resource, sourceRequests)
    let stop = follow { report in
      self.loop.execute { self.assumeIsolated { $0.take(report, id, of: resource) } }
    }
    entry.source = (id, stop)
  }

  private func take(_ report: ResourceReport<Resource>, _ id: Int, of resource: Polled) {
    guard let entry = entries[ObjectIdentifier(resource)], entry.source?.id == id else { return }
    settle(entry, resource.update { follower, now in follower.received(report, now: now) })
  }

  // MARK: Readers

  /// Wakes the readers of a resource at the end of the loop's round, together with those of others,
  /// because waking another thread costs as much as a poll.
  private func notify(_ outcome: Polled.Outcome) {
    guard !outcome.readers.isEmpty, let model = outcome.model else { return }
    if pendingWakes.isEmpty { loop.atEndOfRound { self.wakeReaders() } }
    pendingWakes += outcome.readers.map { ($0, model) }
  }

  private func wakeReaders() {
    let pendingWakes = pendingWakes
    self.pendingWakes = []
    for (reader, model) in pendingWakes { reader.wake(model) }
  }
}
