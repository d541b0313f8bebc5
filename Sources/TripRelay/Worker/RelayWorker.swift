import RelayAPI
package import Tripwire
import WireIO
import WireProtobuf
import WireSystem

/// Polls its part of the wanted trips, and publishes their states in NATS.
///
/// It runs on the loop of its connection. Messages of NATS are passed to it in order.
package actor RelayWorker {
  let client: RelayClient
  let stream: JetStream
  let options: RelayWorkerOptions
  /// The name of this worker.
  package nonisolated let name: String
  let report: @Sendable (NATSError) -> Void
  private let tripService: TripService
  private let counter: CallCounter
  let metrics: WorkerMetrics
  /// Passes updates of models to this actor.
  private let executor: CallbackExecutor

  var ownership: Ownership
  var trips: [String: SharedTrip] = [:]
  var clock = ServerClock()
  /// Until when the polls of a provider are delayed.
  var delays: [String: ContinuousClock.Instant] = [:]
  var published = 0
  /// When the stream was created; nil while it is not known. Nothing is published meanwhile.
  private(set) var streamTime: Timestamp?
  private var isCheckingStreams = false
  private var nextStreamCheck = ContinuousClock.now
  private var phase = Heartbeat.Phase.starting
  private static let streamCheckInterval = Duration.seconds(10)
  private var watches: [StreamWatch] = []
  private var unloaded: Set<String> = []
  /// The wants of the present reading of their bucket.
  private var readWants: Set<String>?
  private var disconnected: ContinuousClock.Instant?
  /// When NATS last stored a heartbeat of this worker.
  private var lastAcknowledged = ContinuousClock.now
  private var isSuspended = false
  private var isSettling = false
  private var nextHeartbeat = ContinuousClock.now
  private var nextMetrics = ContinuousClock.now
  /// The last problem that was reported.
  private var problem: NATSError?
  /// A problem that ends the worker.
  private var fatal: NATSError?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe client.loop.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - counter: an interceptor of the service's calls.
  ///   - metrics: receives the figures of the worker.
  ///   - report: called when a problem with NATS occurs or changes.
  package init(
    _ client: RelayClient, _ tripService: TripService, counter: CallCounter,
    metrics: WorkerMetrics, _ options: RelayWorkerOptions,
    report: @escaping @Sendable (NATSError) -> Void
  ) {
    self.client = client
    stream = JetStream(client)
    self.tripService = tripService
    self.counter = counter
    self.metrics = metrics
    self.options = options
    self.report = report
    let loop = client.loop
    executor = CallbackExecutor { body in loop.execute(body) }
    name = "\(machineName)-\(getpid())-\(randomName().prefix(4))"
    ownership = Ownership(worker: name, capacity: options.capacity, lease: options.lease)
  }

  // MARK: Run

  /// Works until the task is canceled, and then hands the trips over.
  ///
  /// - Throws: ``NATSError`` if the relay cannot start, or NATS refuses the worker for good.
  package func run() async throws(NATSError) {
    client.onEvent { [weak self, loop = client.loop] event in
      guard let self else { return }
      loop.execute { self.assumeIsolated { $0.take(event) } }
    }
    let (stream, replicas) = (stream, options.replicas)
    streamTime = try await stream.retrying { () async throws(NATSError) in
      try await stream.ensureStreams(replicas: replicas)
    }
    nextStreamCheck = .now + Self.streamCheckInterval
    try await readClock()
    await watch()
    while await client.loop.sleep(until: nextBeat) {
      if let fatal { throw fatal }
      beat()
    }
    // This task is canceled.
    await Task { await self.leave() }.value
  }

  /// Sends the first heartbeat, and compares the clocks.
  private func readClock() async throws(NATSError) {
    let subject = RelayNames.workers.subject(NATSToken.encode(name))
    let (stream, json) = (stream, heartbeat.json)
    let sent = try await stream.retrying { () async throws(NATSError) in
      let sent = WallTime.now
      _ = try await stream.publish(subject, Array(json.utf8))
      return sent
    }
    let acknowledged = WallTime.now
    guard let stored = try await stream.last(subject, in: RelayNames.workers.stream) else { return }
    clock.learn(stored: stored.time, sent: sent, acknowledged: acknowledged)
  }

  private func watch() async {
    let buckets = [RelayNames.workers, RelayNames.delays, RelayNames.wants]
    unloaded = Set(buckets.map(\.name))
    watches = buckets.map { bucket in
      StreamWatch(stream, bucket.stream, subject: bucket.subjects) {
        [weak self, loop = client.loop] event in
        guard let self else { return }
        loop.execute { self.assumeIsolated { $0.take(event, of: bucket) } }
      }
    }
    for watch in watches { await watch.start() }
  }

  /// When a trip, a heartbeat or a lease may be due.
  private var nextBeat: ContinuousClock.Instant {
    let now = ContinuousClock.now
    let tick = min(max(options.trip.refreshInterval / 4, .milliseconds(100)), .milliseconds(250))
    guard disconnected == nil else { return now + tick }
    // The trips of a dead worker wait for the end of its lease, and the others for a heartbeat.
    let due = min(nextHeartbeat, ownership.nextLeaseEnd ?? nextHeartbeat)
    return min(now + tick, max(due, now + .milliseconds(10)))
  }

  private func beat() {
    let now = ContinuousClock.now
    if now >= nextMetrics { updateMetrics(now) }
    // A connected node may have no majority: it stores nothing, and passes on no heartbeats.
    let isCutOff = now - lastAcknowledged > options.lease
    if let since = disconnected ?? (isCutOff ? lastAcknowledged : nil) { suspend(since, now) }
    if disconnected == nil {
      if isCutOff { ownership.renewLeases(at: now) }
      for watch in watches { watch.check() }
      if unloaded.isEmpty, phase == .starting {
        phase = .working
        ownership.start()
        nextHeartbeat = now
      }
      if now >= nextStreamCheck { checkStreams() }
      ownership.endLeases(at: now)
      if now >= nextHeartbeat {
        nextHeartbeat = now + options.heartbeat
        ownership.advance(to: now)
        settle()
        sendHeartbeat()
      } else {
        settle()
      }
      for trip in trips.values { check(trip, now) }
    }
  }

  /// Stops polling if NATS has been unreachable for longer than `options.patience`.
  private func suspend(_ since: ContinuousClock.Instant, _ now: ContinuousClock.Instant) {
    guard now - since > options.patience, !isSuspended else { return }
    isSuspended = true
    show(
      NATSError(
        .disconnected,
        "polling stopped: NATS has been unreachable for \(options.patience / .seconds(1)) s",
        hint: "the worker continues when NATS is reachable again"))
    for trip in trips.values { trip.model?.suspend() }
  }

  private func resume() {
    lastAcknowledged = .now
    guard isSuspended else { return }
    isSuspended = false
    for trip in trips.values { trip.model?.resume() }
  }

  private func updateMetrics(_ now: ContinuousClock.Instant) {
    nextMetrics = now + .seconds(1)
    metrics.update(
      WorkerMetrics.Gauges(
        trips: ownership.ownedCount, capacity: options.capacity, lag: lag(now),
        published: published, isConnected: disconnected == nil))
  }

  /// The time in milliseconds by which the most overdue poll is late.
  private func lag(_ now: ContinuousClock.Instant) -> Int {
    let late = trips.values.compactMap { $0.model?.nextRefresh.map { now - $0 } }.max() ?? .zero
    return max(0, Int(late / .milliseconds(1)))
  }

  private func sendHeartbeat() {
    let subject = RelayNames.workers.subject(NATSToken.encode(name))
    let json = heartbeat.json
    Task {
      do throws(NATSError) {
        _ = try await stream.publish(subject, Array(json.utf8))
        if disconnected == nil { resume() }
        if problem?.kind != .full { problem = nil }
      } catch {
        if error.kind != .disconnected { show(error) }
      }
    }
  }

  private var heartbeat: Heartbeat {
    let counts = counter.counts
    var heartbeat = Heartbeat()
    heartbeat.phase = phase
    heartbeat.trips = ownership.ownedCount
    heartbeat.capacity = options.capacity
    heartbeat.threshold = ownership.threshold
    heartbeat.callsPerMinute = counts.callsPerMinute
    heartbeat.calls = counts.calls
    heartbeat.errors = counts.errors
    heartbeat.published = published
    heartbeat.lag = lag(.now)
    return heartbeat
  }

  /// Hands the trips over: the others take them when they hear of it.
  private func leave() async {
    phase = .leaving
    ownership.stop()
    let subject = RelayNames.workers.subject(NATSToken.encode(name))
    _ = try? await stream.publish(subject, Array(heartbeat.json.utf8))
    let deadline = ContinuousClock.now + .milliseconds(400)
    while trips.values.contains(where: \.isPublishing), .now < deadline {
      _ = await client.loop.sleep(until: .now + .milliseconds(10))
    }
    for watch in watches { watch.stop() }
    for trip in trips.values { trip.stop(.over) }
    trips = [:]
    if let last = try? await stream.publish(
      subject, [], headers: ["KV-Operation": "DEL"])
    {
      try? await stream.purge(subject, in: RelayNames.workers.stream, through: last)
    }
  }

  // MARK: Events

  /// Reports a problem unless it was the last one.
  func show(_ error: NATSError) {
    guard problem != error else { return }
    problem = error
    report(error)
  }

  private func take(_ event: NATSConnection.Event) {
    switch event {
    case .disconnected:
      guard disconnected == nil else { return }
      disconnected = .now
      show(
        NATSError(
          .disconnected, "the connection to NATS at \(client.options.shownURL) was lost",
          hint: "the worker continues when NATS is reachable again"))
    case .reconnected:
      disconnected = nil
      problem = nil
      streamTime = nil
      ownership.renewLeases(at: .now)
      resume()
      for trip in trips.values {
        trip.isUncertain = true
        trip.retry = nil
      }
      nextHeartbeat = .now
      Task { await recover() }
    case .closed(let error):
      if phase != .leaving { fatal = error }
    case .error(let error): show(error)
    }
  }

  /// NATS may have lost everything while it was away.
  private func recover() async {
    await readStreamTime()
    guard client.isConnected else { return }
    for watch in watches { await watch.start() }
  }

  /// Creates the streams again if they were deleted. Published states name the present stream.
  private func checkStreams() {
    guard !isCheckingStreams else { return }
    isCheckingStreams = true
    Task {
      await readStreamTime()
      isCheckingStreams = false
    }
  }

  private func readStreamTime() async {
    nextStreamCheck = .now + Self.streamCheckInterval
    do throws(NATSError) {
      let time = try await stream.ensureStreams(replicas: options.replicas)
      guard time != streamTime else { return }
      streamTime = time
      // The states in a new stream have to name it.
      for trip in trips.values where trip.model != nil { trip.needsPublishing = true }
    } catch {
      nextStreamCheck = .now + .seconds(1)
      if error.kind != .disconnected { show(error) }
    }
  }

  /// The stream has lost its data, or may have.
  func forgetStream() {
    streamTime = nil
    nextStreamCheck = .now
  }

  private func take(_ event: StreamWatch.Event, of bucket: RelayNames.Bucket) {
    switch event {
    case .begin:
      if bucket == RelayNames.wants { readWants = [] }
    case .loaded:
      unloaded.remove(bucket.name)
      if bucket == RelayNames.wants, let wants = readWants.take() {
        ownership.keepOnly(wants)
        scheduleSettling()
      }
    case .failed(let error):
      if error.kind != .disconnected { show(error) }
    case .message(let delivery):
      guard let key = bucket.key(delivery.message.subject) else { return }
      let isRemoved = delivery.message.headers["KV-Operation"] != nil
      switch bucket {
      case RelayNames.wants: takeWant(String(key), delivery, isRemoved)
      case RelayNames.workers: takeHeartbeat(key, delivery, isRemoved)
      default: takeDelay(key, delivery)
      }
      scheduleSettling()
    }
  }

  private func takeWant(_ key: String, _ delivery: StreamWatch.Delivery, _ isRemoved: Bool) {
    guard !isRemoved, let value = WantValue(delivery.message.data) else {
      return ownership.unwant(key)
    }
    readWants?.insert(key)
    ownership.want(key, until: value.end(storedAt: delivery.time).map { clock.instant(of: $0) })
  }

  private func takeHeartbeat(
    _ key: Substring, _ delivery: StreamWatch.Delivery, _ isRemoved: Bool
  ) {
    guard let worker = NATSToken.decode(key), worker != name else { return }
    guard !isRemoved, let heartbeat = Heartbeat(delivery.message.data), heartbeat.phase == .working
    else { return ownership.remove(worker) }
    let sent = min(clock.instant(of: delivery.time), .now)
    guard .now - sent <= options.lease else { return }
    ownership.heartbeat(of: worker, threshold: heartbeat.threshold, at: sent)
  }

  private func takeDelay(_ key: Substring, _ delivery: StreamWatch.Delivery) {
    guard let provider = NATSToken.decode(key),
      case .lasting(let duration)? = WantValue(delivery.message.data)
    else { return }
    let end = clock.instant(of: delivery.time) + duration
    guard end > .now, end > delays[provider] ?? .now else { return }
    delays[provider] = end
    for trip in trips.values where trip.name.providerID == provider {
      trip.model?.delayPoll(until: end + .seconds(Double.random(in: 0..<1)))
    }
  }

  // MARK: Trips

  /// Settles once for all messages that arrive together.
  private func scheduleSettling() {
    guard !isSettling else { return }
    isSettling = true
    client.loop.atEndOfRound { self.assumeIsolated { $0.settle() } }
  }

  private func settle() {
    isSettling = false
    for change in ownership.settle() {
      switch change {
      case .take(let key):
        guard trips[key] == nil, let name = RelayNames.trip(key) else { continue }
        let trip = SharedTrip(key: key, name: name)
        trips[key] = trip
        load(trip)
      case .drop(let key):
        trips.removeValue(forKey: key)?.stop(.over)
      case .expire(let key):
        Task { await removeWant(key, ifExpired: true) }
      }
    }
  }

  /// Starts to poll from the last state.
  func startPolling(_ trip: SharedTrip, _ last: LastState?) {
    let model = tripService.tripModel(forTripName: trip.name)
    model.options = options.trip
    if let last, let held = last.state.trip, last.state.view == options.trip.view,
      last.state.routeFormatType == options.trip.routeFormat
    {
      model.seed(
        held, view: last.state.view, routeFormat: last.state.routeFormatType,
        refreshed: clock.instant(of: last.confirmed))
    }
    trip.phase = .polling(model)
    trip.publishedRefresh = model.refreshed
    let key = trip.key
    model.subscribe(ObjectIdentifier(trip), on: executor) { [weak self] model, update in
      guard let self else { return false }
      if let update { self.assumeIsolated { $0.tripChanged(key, model, update) } }
      return true
    }
    if let delay = delays[trip.name.providerID], delay > .now { model.delayPoll(until: delay) }
    if isSuspended { model.suspend() }
  }

  private func tripChanged(_ key: String, _ model: TripModel, _ update: TripUpdate) {
    guard let trip = trips[key], trip.model === model else { return }
    if update.failureChanged, let failure = update.failure { shareDelay(failure, trip) }
    // The first update has what is published already.
    guard
      update.refreshed != trip.publishedRefresh || update.failure != nil || update.failureChanged
    else { return }
    trip.needsPublishing = true
    publish(trip)
  }

  /// Whether the trip of this key is still this object.
  func isCurrent(_ trip: SharedTrip) -> Bool { trips[trip.key] === trip }
}

private var machineName: String {
  var name = [CChar](repeating: 0, count: 256)
  guard unsafe gethostname(&name, name.count - 1) == 0 else { return "worker" }
  return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
