import RelayAPI
import Tripwire

/// Decides which resources a worker polls, when it sends heartbeats, and when it stops polling because NATS is away.
/// Knows no clock and no I/O.
struct WorkerCore: Sendable {
  enum Command: Sendable, Hashable {
    /// The worker takes resources from now on, together with others.
    case begin(others: Int)
    /// Poll a resource.
    case take(key: String)
    /// Stop polling a resource.
    case drop(key: String)
    /// Remove a poll request that has ended from its bucket.
    case withdraw(key: String)
    /// Move leaders of these streams to the nodes of a cluster that lead too few.
    case spreadLeaders(StreamLayout)
    /// Publish in other streams.
    case setLayout(StreamLayout)
    case delayPolls(provider: String, until: ContinuousClock.Instant)
    /// Stop all polls, because nothing can be published.
    case suspendPolls
    case resumePolls
    /// Store ``heartbeat(_:)``, and call `heartbeatStored`.
    case sendHeartbeat
    /// Do the same when the published states are stored, so that the next owners find them.
    case handOver
  }

  private static let leaderCheckInterval = Duration.seconds(30)

  private let name: String
  private let options: RelayWorkerOptions
  private(set) var phase = Heartbeat.Phase.starting
  private var isDrained = false
  private var ownership: Ownership
  private(set) var clock = ServerClock()
  private var connectivity: Connectivity
  private var buckets = BucketReader()
  private var load: LoadLimit
  private var layout = StreamLayout.single
  private var nextLeaderCheck: ContinuousClock.Instant
  private var nextHeartbeat: ContinuousClock.Instant
  /// When a heartbeat of another worker last arrived.
  private var lastHeard: ContinuousClock.Instant?
  private var commands: [Command] = []

  init(name: String, _ options: RelayWorkerOptions, at now: ContinuousClock.Instant) {
    self.name = name
    self.options = options
    ownership = Ownership(worker: name, capacity: options.capacity, lease: options.lease)
    connectivity = Connectivity(lease: options.lease, at: now)
    load = LoadLimit(capacity: options.capacity)
    nextLeaderCheck = now
    nextHeartbeat = now
  }

  var isConnected: Bool { connectivity.isConnected }

  /// Returns what is to be done since the last call, in this order.
  mutating func takeCommands() -> [Command] {
    for change in ownership.settle() {
      switch change {
      case .take(let key): commands.append(.take(key: key))
      case .drop(let key): commands.append(.drop(key: key))
      case .expire(let key): commands.append(.withdraw(key: key))
      }
    }
    defer { commands = [] }
    return commands
  }

  // MARK: Time

  /// When `tick` has to be called next, or shortly after it.
  func nextTick(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    // The resources of a dead worker wait for the end of its lease, and the others for a heartbeat.
    let leaseEnd = isConnected ? ownership.nextLeaseEnd : nil
    return max(min(nextHeartbeat, leaseEnd ?? nextHeartbeat), now + .milliseconds(10))
  }

  mutating func tick(at now: ContinuousClock.Instant) {
    if connectivity.suspend(at: now, after: options.disconnectionTimeout) {
      commands.append(.suspendPolls)
    }
    if isConnected {
      if connectivity.hasLeaseEnded(at: now), !hearsOthers(at: now) {
        ownership.renewLeases(at: now)
      }
      if phase == .starting, buckets.areLoaded { begin(now) }
      let peers = ownership.peerCount
      ownership.endLeases(at: now)
      if ownership.peerCount < peers { makeRoom() }
      if phase == .working, now >= nextLeaderCheck { checkLeaders(now) }
    }
    guard now >= nextHeartbeat else { return }
    nextHeartbeat = now + options.heartbeat
    if isConnected { ownership.advance(to: now) }
    commands.append(.sendHeartbeat)
  }

  /// One worker is enough, and two at once would move too many.
  private mutating func checkLeaders(_ now: ContinuousClock.Instant) {
    nextLeaderCheck = now + Self.leaderCheckInterval
    let isFirst = ownership.firstPeer.map { name < $0 } ?? true
    guard layout.partitions > 1, isFirst else { return }
    commands.append(.spreadLeaders(layout))
  }

  /// Whether NATS passes heartbeats on, even if it cannot store them. The next one may be late, but a worker that hears
  /// nobody learns that before the lease of another one ends.
  private func hearsOthers(at now: ContinuousClock.Instant) -> Bool {
    lastHeard.map { now - $0 < options.heartbeat * 3 / 2 } ?? false
  }

  private mutating func begin(_ now: ContinuousClock.Instant) {
    enterPhase()
    commands.append(.begin(others: ownership.peerCount))
    nextHeartbeat = now
  }

  private mutating func enterPhase() {
    phase = isDrained ? .drained : .working
    if isDrained { ownership.stop() } else { ownership.start() }
  }

  /// Gives all resources away, or takes resources again.
  private mutating func drain(_ isDrained: Bool) {
    guard isDrained != self.isDrained else { return }
    self.isDrained = isDrained
    guard phase == .working || phase == .drained else { return }
    enterPhase()
    commands.append(isDrained ? .handOver : .sendHeartbeat)
  }

  /// Gives all resources away for good.
  mutating func leave() {
    phase = .draining
    ownership.stop()
  }

  /// Takes the resources that nobody else takes, although the polls of this worker were late.
  private mutating func makeRoom() {
    guard load.isLimited else { return }
    load.makeRoom(for: ownership.unownedCount, owned: ownership.ownedCount)
    ownership.capacity = load.capacity
  }

  // MARK: Heartbeats

  /// Returns the heartbeat of this worker without its counts.
  ///
  /// - Parameter lateness: of the latest poll.
  mutating func heartbeat(
    lateness: Duration, at now: ContinuousClock.Instant
  ) -> Heartbeat {
    if phase == .working {
      load.update(
        lateness: lateness, interval: options.trip.refreshInterval, owned: ownership.ownedCount,
        canOthersTake: ownership.hasPeerWithRoom, at: now)
      ownership.capacity = load.capacity
      makeRoom()
    }
    var heartbeat = Heartbeat()
    heartbeat.phase = phase
    heartbeat.resources = ownership.ownedCount
    heartbeat.capacity = options.capacity
    heartbeat.threshold = ownership.threshold
    heartbeat.lag = Int(max(.zero, lateness) / .milliseconds(1))
    return heartbeat
  }

  /// The number of requested resources that no worker polls, as far as this one knows.
  var unownedRequests: Int { phase == .starting ? 0 : ownership.unownedCount }

  /// NATS stored a heartbeat of this worker.
  mutating func heartbeatStored(at now: ContinuousClock.Instant) {
    if isConnected, connectivity.resume(at: now) { commands.append(.resumePolls) }
  }

  /// Compares the clock with that of the node that leads the bucket, which may be another one since the last
  /// heartbeat.
  ///
  /// - Parameters:
  ///   - stored: when NATS stored a heartbeat, by its clock.
  ///   - sent: when it was sent, by the clock of this machine.
  ///   - acknowledged: when the reply arrived.
  mutating func learnClock(stored: Double, sent: Double, acknowledged: Double) {
    clock.learn(stored: stored, sent: sent, acknowledged: acknowledged)
  }

  // MARK: Connection

  /// Returns whether the connection was there before.
  mutating func disconnected(at now: ContinuousClock.Instant) -> Bool {
    defer { connectivity.disconnected(at: now) }
    return isConnected
  }

  mutating func reconnected(at now: ContinuousClock.Instant) {
    connectivity.reconnected()
    ownership.renewLeases(at: now)
    if connectivity.resume(at: now) { commands.append(.resumePolls) }
    nextHeartbeat = now
  }

  // MARK: Buckets

  /// All entries of a bucket follow.
  mutating func beginReading(_ bucket: RelayNames.Bucket) { buckets.begin(bucket) }

  /// All entries of a bucket were passed.
  mutating func endReading(_ bucket: RelayNames.Bucket) {
    if let requests = buckets.end(bucket) { ownership.keepRequests(requests) }
  }

  /// Takes a heartbeat that NATS passes on, before it is stored; nil if the worker is gone.
  mutating func hear(_ worker: String, _ heartbeat: Heartbeat?, at time: StateTime) {
    if worker != name, heartbeat != nil { lastHeard = time.instant }
    take(.heartbeat(worker: worker, heartbeat, time: clock.seconds(at: time)), at: time)
  }

  mutating func take(_ change: BucketReader.Change, at time: StateTime) {
    let now = time.instant
    switch change {
    case .request(let key, let value?, let stored):
      // Other keys, such as one with a wildcard, are left alone.
      guard ownership.hasRequest(key) || RelayNames.name(key) != nil else { return }
      buckets.found(request: key)
      let end = value.end(storedAt: stored).map { clock.instant(of: $0, at: time) }
      ownership.addRequest(key, until: end)
    case .request(let key, nil, _): ownership.removeRequest(key)
    case .heartbeat(name, _, _): break
    case .heartbeat(let worker, let heartbeat?, let stored) where heartbeat.phase == .working:
      let sent = min(clock.instant(of: stored, at: time), now)
      guard now - sent <= options.lease else { return }
      let isLate = PollStatus.isLate(
        .milliseconds(heartbeat.lag), interval: options.trip.refreshInterval)
      ownership.heartbeat(
        of: worker, threshold: heartbeat.threshold, isLate: isLate, at: sent)
    case .heartbeat(let worker, _, _):
      ownership.remove(worker)
      makeRoom()
    case .layout(let layout):
      self.layout = layout
      nextLeaderCheck = now
      commands.append(.setLayout(layout))
    case .drain(name, let isDrained): drain(isDrained)
    case .drain: break
    case .delay(let provider, .lasting(let duration)?, let stored):
      let end = clock.instant(of: stored, at: time) + min(duration, ProviderDelays.longest)
      commands.append(.delayPolls(provider: provider, until: end))
    case .delay: break
    }
  }
}
