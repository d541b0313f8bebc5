package import Tripwire
import WireIO
import WireSystem

/// Polls its part of the requested resources, and publishes their states in NATS.
///
/// It runs on the loop of its connection. Messages of NATS are passed to it in order. ``Ownership`` decides
/// which resources it polls, and ``ResourcePublisher`` polls and publishes them.
package actor RelayWorker {
  private let client: RelayClient
  private let stream: JetStream
  private let options: RelayWorkerOptions
  private let name: String
  private let metrics: WorkerMetrics
  private let started: @Sendable (_ name: String, _ others: Int) -> Void
  private let problems: ProblemLog
  private let publisher: ResourcePublisher

  private var phase = Heartbeat.Phase.starting
  private var ownership: Ownership
  private var clock = ServerClock()
  private var connectivity: Connectivity
  private var buckets = BucketReader()
  private var watches: [StreamWatch] = []
  private var nextHeartbeat = ContinuousClock.now
  private var isSettling = false
  /// A problem that ends the worker.
  private var fatal: NATSError?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe client.loop.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - metrics: receives the figures of the worker.
  ///   - started: called once, with the name of this worker and the number of others, when it begins to take resources.
  ///   - report: called when a problem with NATS occurs or changes.
  package init(
    _ client: RelayClient, _ fleet: FleetServices, metrics: WorkerMetrics,
    _ options: RelayWorkerOptions,
    started: @escaping @Sendable (_ name: String, _ others: Int) -> Void,
    report: @escaping @Sendable (NATSError) -> Void
  ) {
    self.client = client
    stream = JetStream(client)
    self.metrics = metrics
    self.options = options
    self.started = started
    problems = ProblemLog(report: report)
    name = "\(machineName)-\(getpid())-\(randomName().prefix(4))"
    ownership = Ownership(worker: name, capacity: options.capacity, lease: options.lease)
    connectivity = Connectivity(lease: options.lease, at: .now)
    publisher = ResourcePublisher(
      client, fleet, worker: name, metrics: metrics, options, problems)
  }

  /// Works until the task is canceled, and then hands the resources over.
  ///
  /// - Throws: ``NATSError`` if the relay cannot start, or NATS refuses the worker for good.
  package func run() async throws(NATSError) {
    client.onEvent { [weak self, loop = client.loop] event in
      guard let self else { return }
      loop.execute { self.assumeIsolated { $0.take(event) } }
    }
    let (stream, replicas) = (stream, options.replicas)
    let streams = try await stream.retrying { () async throws(NATSError) in
      try await stream.ensureStreams(replicas: replicas)
    }
    await publisher.found(streams)
    let heartbeat = heartbeat(.now)
    try await stream.retrying { () async throws(NATSError) in try await publish(heartbeat) }
    await watchBuckets()
    while await client.loop.sleep(until: nextBeat) {
      if let fatal { throw fatal }
      beat(.now)
    }
    // This task is canceled.
    await Task { await self.leave() }.value
  }

  /// When a resource, a heartbeat or a lease may be due.
  private var nextBeat: ContinuousClock.Instant {
    let now = ContinuousClock.now
    let tick = min(max(options.trip.refreshInterval / 4, .milliseconds(50)), .milliseconds(250))
    guard connectivity.isConnected else { return now + tick }
    // The resources of a dead worker wait for the end of its lease, and the others for a heartbeat.
    let due = min(nextHeartbeat, ownership.nextLeaseEnd ?? nextHeartbeat)
    return min(now + tick, max(due, now + .milliseconds(10)))
  }

  private func beat(_ now: ContinuousClock.Instant) {
    suspendIfUnreachable(now)
    if connectivity.isConnected {
      if connectivity.hasLeaseEnded(at: now) { ownership.renewLeases(at: now) }
      for watch in watches { watch.check() }
      if buckets.areLoaded, phase == .starting {
        phase = .working
        ownership.start()
        started(name, ownership.peerCount)
        nextHeartbeat = now
      }
      publisher.assumeIsolated { $0.checkStreams(now) }
      ownership.endLeases(at: now)
    }
    let isHeartbeatDue = now >= nextHeartbeat
    if isHeartbeatDue { nextHeartbeat = now + options.heartbeat }
    if connectivity.isConnected {
      if isHeartbeatDue { ownership.advance(to: now) }
      settle()
      publisher.assumeIsolated { $0.check(now) }
    }
    if isHeartbeatDue { sendHeartbeat(now) }
  }

  /// Hands the resources over: the others take them after the notification.
  private func leave() async {
    phase = .draining
    ownership.stop()
    let key = NATSToken.encode(name)
    _ = try? await stream.put(heartbeat(.now).json, for: key, in: .workers)
    let deadline = ContinuousClock.now + .milliseconds(400)
    while await publisher.isPublishing, .now < deadline {
      _ = await client.loop.sleep(until: .now + .milliseconds(10))
    }
    for watch in watches { watch.stop() }
    await publisher.removeAll()
    if let removal = try? await stream.markRemoved(key, in: .workers) {
      try? await stream.purge(key, in: .workers, through: removal)
    }
  }

  // MARK: Heartbeats

  private func heartbeat(_ now: ContinuousClock.Instant) -> Heartbeat {
    var heartbeat = Heartbeat(metrics.calls)
    heartbeat.phase = phase
    heartbeat.resources = ownership.ownedCount
    heartbeat.capacity = options.capacity
    heartbeat.threshold = ownership.threshold
    let (published, lag) = publisher.assumeIsolated { ($0.published, $0.lag(now)) }
    heartbeat.published = published
    heartbeat.lag = max(0, Int(lag / .milliseconds(1)))
    return heartbeat
  }

  /// Publishes a heartbeat, and compares the clock with that of the node that leads the bucket, which may be
  /// another one since the last heartbeat.
  private func publish(_ heartbeat: Heartbeat) async throws(NATSError) {
    let (key, sent) = (NATSToken.encode(name), WallTime.now)
    let sequence = try await stream.put(heartbeat.json, for: key, in: .workers)
    let acknowledged = WallTime.now
    if connectivity.isConnected { resume() }
    guard let stored = try await stream.entry(key, in: .workers), stored.sequence == sequence
    else { return }
    clock.learn(stored: stored.time, sent: sent, acknowledged: acknowledged)
    await publisher.setClock(clock)
  }

  /// Passes the figures to the metrics, and to the other workers if NATS is connected.
  private func sendHeartbeat(_ now: ContinuousClock.Instant) {
    let heartbeat = heartbeat(now)
    metrics.update(heartbeat)
    guard connectivity.isConnected else { return }
    Task {
      do throws(NATSError) {
        try await publish(heartbeat)
      } catch {
        if error.kind != .disconnected { problems.add(error) }
      }
    }
  }

  // MARK: Connection

  private func take(_ event: NATSConnection.Event) {
    switch event {
    case .disconnected:
      guard connectivity.isConnected else { return }
      connectivity.disconnected(at: .now)
      metrics.isConnected = false
      problems.add(
        NATSError(
          .disconnected, "the connection to NATS at \(client.options.shownURL) was lost",
          hint: "check that NATS runs: the worker polls without it for"
            + " \(options.disconnectionTimeout.components.seconds) s"))
    case .reconnected: reconnected(at: .now)
    case .closed(let error):
      if phase != .draining { fatal = error }
    case .error(let error): problems.add(error)
    }
  }

  private func reconnected(at now: ContinuousClock.Instant) {
    connectivity.reconnected()
    metrics.isConnected = true
    problems.reconnected()
    ownership.renewLeases(at: now)
    resume()
    publisher.assumeIsolated { $0.reconnected(at: now) }
    nextHeartbeat = now
    Task {
      // NATS may have lost everything while it was away.
      await publisher.readStreamTimes()
      guard client.isConnected else { return }
      for watch in watches { await watch.start() }
    }
  }

  /// Stops polling if NATS has been unreachable for longer than `options.disconnectionTimeout`.
  private func suspendIfUnreachable(_ now: ContinuousClock.Instant) {
    let timeout = options.disconnectionTimeout
    guard connectivity.suspend(at: now, after: timeout) else { return }
    problems.add(
      NATSError(
        .disconnected,
        "polling stopped: NATS has been unreachable for \(timeout.components.seconds) s",
        hint: "check that NATS runs: polling continues when NATS is reachable again"))
    publisher.assumeIsolated { $0.suspend() }
  }

  /// NATS is connected, and stores heartbeats.
  private func resume() {
    if connectivity.resume(at: .now) { publisher.assumeIsolated { $0.resume() } }
  }

  // MARK: Buckets

  private func watchBuckets() async {
    watches = BucketReader.buckets.map { bucket in
      StreamWatch(stream, bucket.stream, subject: bucket.subjects) {
        [weak self, loop = client.loop] event in
        guard let self else { return }
        loop.execute { self.assumeIsolated { $0.take(event, of: bucket) } }
      }
    }
    for watch in watches { await watch.start() }
  }

  private func take(_ event: StreamWatch.Event, of bucket: RelayNames.Bucket) {
    switch event {
    case .begin: buckets.begin(bucket)
    case .loaded:
      if let requests = buckets.end(bucket) {
        ownership.keepRequests(requests)
        scheduleSettling()
      }
    case .failed(let error):
      if error.kind != .disconnected { problems.add(error) }
    case .message(let delivery):
      guard let change = BucketReader.Change(bucket, delivery) else { return }
      apply(change)
      scheduleSettling()
    }
  }

  private func apply(_ change: BucketReader.Change) {
    switch change {
    case .request(let key, let value?, let time):
      // Other keys, such as one with a wildcard, are left alone.
      guard ownership.hasRequest(key) || RelayNames.name(key) != nil else { return }
      buckets.found(request: key)
      ownership.addRequest(key, until: value.end(storedAt: time).map { clock.instant(of: $0) })
    case .request(let key, nil, _): ownership.removeRequest(key)
    case .heartbeat(name, _, _): break
    case .heartbeat(let worker, let heartbeat?, let time) where heartbeat.phase == .working:
      let sent = min(clock.instant(of: time), .now)
      guard .now - sent <= options.lease else { return }
      ownership.heartbeat(of: worker, threshold: heartbeat.threshold, at: sent)
    case .heartbeat(let worker, _, _): ownership.remove(worker)
    case .delay(let provider, .lasting(let duration)?, let time):
      let end = clock.instant(of: time) + min(duration, ProviderDelays.longest)
      publisher.assumeIsolated { $0.delay(provider, until: end) }
    case .delay: break
    }
  }

  /// Settles once for all messages that arrive together.
  private func scheduleSettling() {
    guard !isSettling else { return }
    isSettling = true
    client.loop.atEndOfRound { self.assumeIsolated { $0.settle() } }
  }

  private func settle() {
    isSettling = false
    for change in ownership.settle() {
      publisher.assumeIsolated { publisher in
        switch change {
        case .take(let key): publisher.add(key)
        case .drop(let key): publisher.remove(key)
        case .expire(let key): publisher.withdraw(key, ifExpired: true)
        }
      }
    }
  }
}

private var machineName: String {
  var name = [CChar](repeating: 0, count: 256)
  guard unsafe gethostname(&name, name.count - 1) == 0 else { return "worker" }
  return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
