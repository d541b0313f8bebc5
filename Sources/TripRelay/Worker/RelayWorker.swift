import RelayAPI
package import Tripwire
import WireIO
import WireProtobuf
import WireSystem

/// Polls its part of the requested resources, and publishes their states in NATS.
///
/// It runs on the loop of its connection. Messages of NATS are passed to it in order. ``WorkerCore`` decides
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

  private var core: WorkerCore
  private var watches: [StreamWatch] = []
  private var heartbeats: NATSSubscription?
  private var isSettling = false
  /// Whether leaders are being moved, or NATS has refused that.
  private var isSpreading = false
  /// A problem that ends the worker.
  private var fatal: NATSError?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe client.loop.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - metrics: receives the figures of the worker.
  ///   - started: called once, with the name of this worker and the number of others, when it begins to take resources.
  ///   - report: called when a problem with NATS begins or ends.
  package init(
    _ client: RelayClient, _ fleet: FleetServices, metrics: WorkerMetrics,
    _ options: RelayWorkerOptions,
    started: @escaping @Sendable (_ name: String, _ others: Int) -> Void,
    report: @escaping @Sendable (ProblemLog.Report) -> Void
  ) {
    self.client = client
    stream = JetStream(client)
    self.metrics = metrics
    self.options = options
    self.started = started
    problems = ProblemLog(report: report)
    name = "\(hostName ?? "worker")-\(getpid())-\(randomDigits(4))"
    core = WorkerCore(name: name, options, at: .now)
    publisher = ResourcePublisher(
      client, fleet, worker: name, options, problems)
  }

  /// Works until the task is canceled, and then hands the resources over.
  ///
  /// - Throws: ``NATSError`` if the relay cannot start, or NATS refuses the worker for good.
  package func run() async throws(NATSError) {
    let (stream, options) = (stream, options)
    let (layout, streams) = try await stream.setUp(
      replicas: options.replicas, partitions: options.partitions)
    await publisher.setLayout(layout)
    await publisher.found(streams)
    if let partitions = options.partitions, partitions < layout.partitions {
      problems.warn(
        NATSError(
          .other,
          "--partitions \(partitions) has no effect: there are \(layout.partitions) already",
          hint: "pass --partitions \(layout.partitions); the number does not shrink"))
    }
    if try await stream.mayMissConflicts() {
      problems.warn(
        NATSError(
          .other, "nats-server is older than 2.10, and may store the states of two workers at once",
          hint: RelayHint.oldServer))
    }
    let heartbeat = heartbeat(.now)
    try await stream.retrying { () async throws(NATSError) in try await publish(heartbeat) }
    // Before, a failure ends the worker.
    client.onEvent(of: self) { $0.take($1) }
    try subscribeToHeartbeats()
    await watchBuckets()
    while await client.loop.sleep(until: nextTick) {
      if let fatal { throw fatal }
      tick(.now)
    }
    // This task is canceled.
    await Task { await self.leave() }.value
  }

  private var nextTick: ContinuousClock.Instant {
    let now = ContinuousClock.now
    let pause = min(max(options.trip.refreshInterval / 4, .milliseconds(50)), .milliseconds(250))
    return min(now + pause, core.nextTick(at: now))
  }

  private func tick(_ now: ContinuousClock.Instant) {
    if core.isConnected {
      for watch in watches { watch.check() }
      publisher.assumeIsolated { $0.checkStreams(now) }
    }
    core.tick(at: now)
    carryOut(now)
    publisher.assumeIsolated { $0.check(now) }
    problems.check(at: now)
  }

  /// Carries out the commands of the core.
  private func carryOut(_ now: ContinuousClock.Instant) {
    let commands = core.takeCommands()
    guard !commands.isEmpty else { return }
    publisher.assumeIsolated { publisher in
      for command in commands {
        switch command {
        case .begin(let others): started(name, others)
        case .take(let key): publisher.add(key)
        case .drop(let key): publisher.remove(key)
        case .withdraw(let key): publisher.withdraw(key, ifExpired: true)
        case .setLayout(let layout): publisher.setLayout(layout)
        case .delayPolls(let provider, let end): publisher.delay(provider, until: end)
        case .suspendPolls:
          problems.add(Self.cutOff(options))
          metrics.isConnected = false
          publisher.suspend()
        case .resumePolls:
          // A worker at a leaf node has not lost its connection.
          problems.reconnected(at: now)
          metrics.isConnected = true
          publisher.resume()
        case .spreadLeaders, .sendHeartbeat, .handOver: break
        }
      }
    }
    for case .spreadLeaders(let layout) in commands { spreadLeaders(of: layout) }
    if commands.contains(.handOver) {
      Task {
        await publicationsEnded()
        sendHeartbeat(.now)
      }
    } else if commands.contains(.sendHeartbeat) {
      sendHeartbeat(now)
    }
  }

  private func spreadLeaders(of layout: StreamLayout) {
    guard !isSpreading else { return }
    isSpreading = true
    Task {
      do throws(NATSError) {
        try await stream.spreadLeaders(of: layout)
        isSpreading = false
      } catch {
        // The connection reports a missing permission. Other problems end, or others report them.
        isSpreading = error.kind == .notPermitted
      }
    }
  }

  /// Carries out the commands once for all messages that arrive together.
  private func carryOutSoon() {
    guard !isSettling else { return }
    isSettling = true
    client.loop.atEndOfRound {
      self.assumeIsolated { worker in
        worker.isSettling = false
        worker.carryOut(.now)
      }
    }
  }

  private static func cutOff(_ options: RelayWorkerOptions) -> NATSError {
    NATSError(
      .disconnected,
      "polling stopped: NATS has been unreachable for"
        + " \(options.disconnectionTimeout.components.seconds) s",
      hint: "check that NATS runs: polling continues when NATS is reachable again")
  }

  /// Hands the resources over: the others take them after the notification.
  private func leave() async {
    core.leave()
    carryOut(.now)
    await publicationsEnded()
    let key = NATSToken.encode(name)
    _ = try? await stream.put(heartbeat(.now).json, for: key, in: .workers)
    for watch in watches { watch.stop() }
    heartbeats = nil
    if let removal = try? await stream.markRemoved(key, in: .workers) {
      try? await stream.purge(key, in: .workers, through: removal)
    }
  }

  /// Waits for the answers to published states. A state that is stored later stops the next owner for an interval.
  private func publicationsEnded() async {
    let deadline = ContinuousClock.now + .milliseconds(400)
    while await publisher.publications.pending > 0, .now < deadline {
      _ = await client.loop.sleep(until: .now + .milliseconds(10))
    }
  }

  // MARK: Heartbeats

  private func heartbeat(_ now: ContinuousClock.Instant) -> Heartbeat {
    let (published, lateness) = publisher.assumeIsolated {
      ($0.publications.stored, $0.lateness(at: now))
    }
    var heartbeat = core.heartbeat(lateness: lateness, at: now)
    heartbeat.published = published
    heartbeat.take(metrics.calls)
    return heartbeat
  }

  private func figures(_ heartbeat: Heartbeat) -> WorkerFigures {
    let unowned = core.unownedRequests
    return publisher.assumeIsolated { publisher in
      WorkerFigures(
        heartbeat: heartbeat, unownedRequests: unowned, latePolls: publisher.latePolls,
        publications: publisher.publications)
    }
  }

  /// Publishes a heartbeat, and compares the clock with that of NATS.
  private func publish(_ heartbeat: Heartbeat) async throws(NATSError) {
    let (key, sent) = (NATSToken.encode(name), WallTime.now)
    let sequence = try await stream.put(heartbeat.json, for: key, in: .workers)
    let acknowledged = WallTime.now
    core.heartbeatStored(at: .now)
    carryOut(.now)
    guard let stored = try await stream.entry(key, in: .workers), stored.sequence == sequence
    else { return }
    core.learnClock(stored: stored.time, sent: sent, acknowledged: acknowledged)
    await publisher.setClock(core.clock)
  }

  /// Passes the figures to the metrics, and to the other workers if NATS is connected.
  private func sendHeartbeat(_ now: ContinuousClock.Instant) {
    let heartbeat = heartbeat(now)
    metrics.update(figures(heartbeat))
    let failing = heartbeat.resources > 0 ? metrics.calls.failing : CallCounter.Failures()
    problems.take(failing, every: options.trip.refreshInterval, at: now)
    guard core.isConnected else { return }
    Task {
      do throws(NATSError) {
        try await publish(heartbeat)
      } catch {
        if error.kind != .disconnected { problems.add(error.forWorker) }
      }
    }
  }

  // MARK: Connection

  private func take(_ event: NATSConnection.Event) {
    switch event {
    case .disconnected:
      guard core.disconnected(at: .now) else { return }
      metrics.isConnected = false
      let seconds = options.disconnectionTimeout.components.seconds
      problems.add(client.disconnection("the worker polls without it for \(seconds) s"))
    case .reconnected: reconnected(at: .now)
    case .closed(let error):
      if core.phase != .draining { fatal = error }
    case .error(let error): problems.add(error.forWorker)
    }
  }

  private func reconnected(at now: ContinuousClock.Instant) {
    metrics.isConnected = true
    problems.reconnected(at: now)
    core.reconnected(at: now)
    publisher.assumeIsolated { $0.reconnected(at: now) }
    carryOut(now)
    Task {
      // NATS may have lost everything while it was away.
      await publisher.readStreamTimes()
      guard client.isConnected else { return }
      for watch in watches { await watch.start() }
    }
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

  /// Receives the heartbeats of others also while NATS cannot store them, or the consumer that reads them is lost.
  private func subscribeToHeartbeats() throws(NATSError) {
    let bucket = RelayNames.Bucket.workers
    heartbeats = try client.subscribe(bucket.subjects) { [weak self, loop = client.loop] message in
      guard let self, let worker = bucket.key(message.subject).flatMap({ NATSToken.decode($0) })
      else { return }
      let heartbeat = message.isRemoval ? nil : Heartbeat(message.data)
      loop.execute { self.assumeIsolated { $0.hear(worker, heartbeat) } }
    }
  }

  private func hear(_ worker: String, _ heartbeat: Heartbeat?) {
    core.hear(worker, heartbeat, at: .now)
    carryOutSoon()
  }

  private func take(_ event: StreamWatch.Event, of bucket: RelayNames.Bucket) {
    switch event {
    case .begin: core.beginReading(bucket)
    case .loaded: core.endReading(bucket)
    case .failed(let error):
      if error.kind != .disconnected { problems.add(error.forWorker) }
      return
    case .message(let delivery):
      guard let change = BucketReader.Change(bucket, delivery) else { return }
      core.take(change, at: .now)
    }
    carryOutSoon()
  }
}
