import RelayAPI
package import Tripwire
import WireIO
import WireProtobuf
import WireSystem

/// Polls its part of the requested resources, and publishes their states in NATS.
///
/// It runs on the loop of its connection. Messages of NATS are passed to it in order.
package actor RelayWorker {
  /// A problem that has not occurred for so long is over.
  private static let quietTime = Duration.seconds(60)
  private static let mostProblems = 1_000

  let client: RelayClient
  let stream: JetStream
  let options: RelayWorkerOptions
  /// The name of this worker.
  nonisolated let name: String
  let fleet: FleetServices
  let metrics: WorkerMetrics
  private let started: @Sendable (_ name: String, _ others: Int) -> Void
  private let report: @Sendable (NATSError) -> Void
  /// Passes updates of models to this actor.
  let executor: CallbackExecutor

  var phase = Heartbeat.Phase.starting
  var ownership: Ownership
  var resources: [String: SharedResource] = [:]
  var clock = ServerClock()
  var connectivity: Connectivity
  var buckets = BucketReader()
  var delays = ProviderDelays()
  var existingStreams = ExistingStreams()
  var published = 0
  var lastPublication: UInt64 = 0
  var nextHeartbeat = ContinuousClock.now
  var isSettling = false
  /// When each problem that was reported occurred last.
  var problems: [NATSError: ContinuousClock.Instant] = [:]
  /// A problem that ends the worker.
  var fatal: NATSError?

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
    self.fleet = fleet
    self.metrics = metrics
    self.options = options
    self.started = started
    self.report = report
    let loop = client.loop
    executor = CallbackExecutor { body in loop.execute(body) }
    name = "\(machineName)-\(getpid())-\(randomName().prefix(4))"
    ownership = Ownership(worker: name, capacity: options.capacity, lease: options.lease)
    connectivity = Connectivity(lease: options.lease)
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
    existingStreams.found(
      try await stream.retrying { () async throws(NATSError) in
        try await stream.ensureStreams(replicas: replicas)
      })
    try await readClock()
    await watch()
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
      for watch in buckets.watches { watch.check() }
      if buckets.areLoaded, phase == .starting {
        phase = .working
        ownership.start()
        started(name, ownership.peerCount)
        nextHeartbeat = now
      }
      checkStreams(now)
      ownership.endLeases(at: now)
    }
    let isHeartbeatDue = now >= nextHeartbeat
    if isHeartbeatDue { nextHeartbeat = now + options.heartbeat }
    if connectivity.isConnected {
      if isHeartbeatDue { ownership.advance(to: now) }
      settle()
      for resource in resources.values { check(resource, now) }
    }
    if isHeartbeatDue { sendHeartbeat(now) }
  }

  /// Hands the resources over: the others take them after the notification.
  private func leave() async {
    phase = .draining
    ownership.stop()
    let workers = RelayNames.workers.stream
    _ = try? await stream.publish(heartbeatSubject, in: workers, Array(heartbeat(.now).json.utf8))
    let deadline = ContinuousClock.now + .milliseconds(400)
    while resources.values.contains(where: { $0.publication != nil }), .now < deadline {
      _ = await client.loop.sleep(until: .now + .milliseconds(10))
    }
    for watch in buckets.watches { watch.stop() }
    for resource in resources.values { resource.stop(.over) }
    resources = [:]
    if let last = try? await stream.publish(
      heartbeatSubject, in: workers, [], headers: ["KV-Operation": "DEL"])
    {
      try? await stream.purge(heartbeatSubject, in: workers, through: last)
    }
  }

  /// Reports a problem that is new, or has not occurred for a while.
  func show(_ error: NATSError) {
    let now = ContinuousClock.now
    if problems.count >= Self.mostProblems {
      problems = problems.filter { now - $0.value < Self.quietTime }
      if problems.count >= Self.mostProblems { problems = [:] }
    }
    let last = problems.updateValue(now, forKey: error)
    if last.map({ now - $0 >= Self.quietTime }) ?? true { report(error) }
  }
}

private var machineName: String {
  var name = [CChar](repeating: 0, count: 256)
  guard unsafe gethostname(&name, name.count - 1) == 0 else { return "worker" }
  return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
