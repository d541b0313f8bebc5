import FleetEngineAPI
import RelayAPI
import Tripwire
import WireIO
import WireProtobuf

/// Polls the resources of a worker, and publishes their states. Runs on the loop of its worker.
///
/// ``ResourcePublication`` decides for each resource, and this actor carries that out.
actor ResourcePublisher {
  /// The maximum number of reads at the same time. Thousands take much memory, which is not returned.
  private static let mostReads = 256

  private let client: RelayClient
  private let stream: JetStream
  private let requests: PollRequests
  private let fleet: FleetServices
  private let options: RelayWorkerOptions
  /// The name of the worker.
  private let worker: String
  private let problems: ProblemLog
  /// Passes updates of models to this actor.
  private let executor: CallbackExecutor

  private var resources: [String: PublishedResource] = [:]
  private var lastID: UInt64 = 0
  private var openReads = 0
  /// The resources whose last message is read when fewer are being read.
  private var waitingReads: ArraySlice<PublishedResource> = []
  private var clock = ServerClock()
  private var delays = ProviderDelays()
  private var layout = StreamLayout.single
  private var existingStreams = ExistingStreams(at: .now)
  private var isSuspended = false
  private(set) var publications = PublicationCounts()
  /// The late polls of resources that are no longer polled.
  private var pastLatePolls = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe client.loop.asUnownedSerialExecutor()
  }

  init(
    _ client: RelayClient, _ fleet: FleetServices, worker: String,
    _ options: RelayWorkerOptions, _ problems: ProblemLog
  ) {
    self.client = client
    self.fleet = fleet
    self.worker = worker
    self.options = options
    self.problems = problems
    stream = JetStream(client)
    requests = PollRequests(client)
    let loop = client.loop
    executor = CallbackExecutor { body in loop.execute(body) }
  }

  /// The time by which the latest poll is late.
  func lateness(at now: ContinuousClock.Instant) -> Duration {
    guard !isSuspended else { return .zero }
    let interval = options.trip.refreshInterval
    return resources.values.reduce(.zero) { latest, resource in
      let delay = delays.end(of: resource.name.providerID, at: now)
      return delay == nil ? max(latest, resource.lateness(interval: interval, at: now)) : latest
    }
  }

  /// The number of late polls since the start.
  var latePolls: Int {
    resources.values.reduce(pastLatePolls) { $0 + ($1.model?.pollStatus.lateCount ?? 0) }
  }

  // MARK: Resources

  func add(_ key: String) {
    guard resources[key] == nil, let name = RelayNames.name(key) else { return }
    let now = ContinuousClock.now
    lastID += 1
    let resource = PublishedResource(id: lastID, key: key, name: name, at: now)
    resources[key] = resource
    existingStreams.need(layout.stream(of: name), at: now)
    proceed(resource, at: now)
  }

  func remove(_ key: String) {
    if let resource = resources.removeValue(forKey: key) { stop(resource) }
  }

  private func stop(_ resource: PublishedResource) {
    pastLatePolls += resource.model?.pollStatus.lateCount ?? 0
    resource.stop()
  }

  /// Carries out what is due. Call it several times a second.
  func check(_ now: ContinuousClock.Instant) {
    for resource in resources.values {
      resource.check(options, at: now)
      proceed(resource, at: now)
    }
  }

  /// Removes a poll request from its bucket, unless it was renewed.
  func withdraw(_ key: String, ifExpired: Bool) {
    let clock = ifExpired ? self.clock : nil
    Task {
      do throws(NATSError) {
        try await requests.withdraw(key, ifExpiredBy: clock)
      } catch {
        switch error.kind {
        case .wrongLastSequence, .disconnected: break
        default: problems.add(error.forWorker)
        }
      }
    }
  }

  // MARK: Connection

  /// The estimate of the clock of NATS was improved.
  func setClock(_ clock: ServerClock) { self.clock = clock }

  /// NATS may have lost everything while it was away.
  func reconnected(at now: ContinuousClock.Instant) {
    existingStreams.forget(at: now)
    for resource in resources.values { resource.publication.reconnected(at: now) }
  }

  /// Stops polling while nothing can be published.
  func suspend() {
    isSuspended = true
    for resource in resources.values { resource.model?.suspend() }
  }

  func resume() {
    isSuspended = false
    for resource in resources.values { resource.model?.resume() }
  }

  // MARK: Streams

  /// Takes the streams that exist. Published states name the present stream.
  func found(_ streams: [String: Timestamp], at now: ContinuousClock.Instant = .now) {
    let lost = existingStreams.found(streams, at: now)
    guard !lost.isEmpty else { return }
    for resource in resources.values where lost.contains(layout.stream(of: resource.name)) {
      resource.publication.streamLost(at: now)
    }
  }

  /// Publishes in the streams of another layout from now on.
  func setLayout(_ layout: StreamLayout, at now: ContinuousClock.Instant = .now) {
    guard layout != self.layout else { return }
    self.layout = layout
    existingStreams.forget(at: now)
    for resource in resources.values { resource.publication.streamLost(at: now) }
  }

  /// Creates the streams again if they were deleted.
  func checkStreams(_ now: ContinuousClock.Instant) {
    guard existingStreams.beginCheck(at: now) else { return }
    Task {
      await readStreamTimes()
      existingStreams.endCheck()
    }
  }

  func readStreamTimes() async {
    existingStreams.delayCheck(from: .now)
    do throws(NATSError) {
      let layout = layout
      let names = Set(resources.values.map { layout.stream(of: $0.name) })
      // NATS may have lost the buckets and the number of partitions as well.
      let (present, times) = try await stream.setUp(
        replicas: options.replicas, partitions: layout.partitions, names)
      if present == layout, layout == self.layout { found(times) }
    } catch {
      existingStreams.retryCheck(from: .now)
      if error.kind != .disconnected { problems.add(error.forWorker) }
    }
  }

  // MARK: Commands

  /// Carries out what is due for a resource.
  private func proceed(_ resource: PublishedResource, at now: ContinuousClock.Instant = .now) {
    // A command may change whether the streams are known.
    while let command = resource.publication.next(
      at: now,
      isConnected: client.isConnected
        && existingStreams.times[layout.stream(of: resource.name)] != nil)
    {
      switch command {
      case .read: read(resource)
      case .poll: poll(resource)
      case .stop:
        stop(resource)
        lastID += 1
        resource.term = lastID
      case .store(let message): store(message, of: resource)
      case .findStreams: existingStreams.forget(at: now)
      case .withdraw: withdraw(resource.key, ifExpired: false)
      case .report(let error): report(error, of: resource)
      }
    }
  }

  private func report(_ error: NATSError, of resource: PublishedResource) {
    guard error.kind == .tooLarge else { return problems.add(error.forWorker) }
    problems.add(
      NATSError(
        .tooLarge, "\(resource.name) cannot be published: \(error.message)", hint: error.hint))
  }

  /// Reads the last message of a resource, when fewer than ``mostReads`` are being read.
  private func read(_ resource: PublishedResource) {
    guard openReads < Self.mostReads else { return waitingReads.append(resource) }
    openReads += 1
    Task {
      defer { readNext() }
      do throws(NATSError) {
        let last = try await stream.lastState(of: resource.name, in: layout)
        guard resources[resource.key] === resource else { return }
        let now = StateTime.now
        resource.adopt(last, clock, at: now)
        resource.publication.found(
          last?.found(by: worker, term: resource.term),
          yieldingFor: max(options.trip.refreshInterval, .seconds(1)), at: now.instant)
      } catch {
        guard resources[resource.key] === resource else { return }
        resource.publication.readFailed(at: .now)
        if error.kind != .disconnected { problems.add(error.forWorker) }
      }
      proceed(resource)
    }
  }

  private func readNext() {
    openReads -= 1
    if openReads < Self.mostReads, let next = waitingReads.popFirst() { read(next) }
  }

  private func poll(_ resource: PublishedResource) {
    let model = fleet.model(of: resource.name)
    model.configure(
      interval: options.trip.refreshInterval, options.trip.requestOptions, options.trip.callOptions)
    resource.start(model)
    let key = resource.key
    model.observe(ObjectIdentifier(resource), on: executor) { [weak self] model, update in
      guard let self else { return false }
      if let update { self.assumeIsolated { $0.updated(key, model, update) } }
      return true
    }
    if let end = delays.end(of: resource.name.providerID, at: .now) { model.delayPoll(until: end) }
    if isSuspended { model.suspend() }
  }

  private func updated(_ key: String, _ model: any AnyResourceModel, _ update: RelayedUpdate) {
    guard let resource = resources[key], resource.model === model else { return }
    if update.failureChanged, let failure = update.failure { shareDelay(failure, resource) }
    let now = ContinuousClock.now
    resource.publication.updated(
      pollBegan: update.pollBegan, hasFailure: update.failure != nil || update.failureChanged,
      at: now)
    proceed(resource, at: now)
  }

  private func store(_ message: ResourcePublication.Message, of resource: PublishedResource) {
    let name = layout.stream(of: resource.name)
    // A resource for which commands are taken has a stream.
    guard let streamTime = existingStreams.times[name] else { return }
    let time = StateTime.now
    let new = resource.newState(
      for: message, worker: worker, streamTime: streamTime, options, at: time)
    publications.begin()
    // A closure and not a task, because this is done for each update.
    stream.publish(
      layout.subject(of: resource.name), in: name, new.bytes, after: message.last
    ) { [key = resource.key, id = resource.id, began = time.instant] result in
      self.assumeIsolated { $0.storeEnded(message, of: key, id, new, began: began, result) }
    }
  }

  private func storeEnded(
    _ message: ResourcePublication.Message, of key: String, _ id: UInt64, _ new: NewState,
    began: ContinuousClock.Instant, _ result: Result<UInt64, NATSError>
  ) {
    let now = ContinuousClock.now
    publications.end(result, after: now - began)
    guard let resource = resources[key], resource.id == id else { return }
    switch result {
    case .success(let number):
      resource.stored(new)
      resource.publication.stored(
        message, as: number, polled: new.polled, isFinal: new.resource?.isFinal ?? false, at: now)
    case .failure(let error):
      resource.publication.storeFailed(message, error, at: now)
    }
    proceed(resource, at: now)
  }

  // MARK: Delays

  /// Notifies all workers that the server asks to delay the polls of a provider.
  private func shareDelay(_ failure: RefreshFailure, _ resource: PublishedResource) {
    let (now, provider) = (ContinuousClock.now, resource.name.providerID)
    guard let delay = delays.delay(provider, after: failure, at: now) else { return }
    let (key, value) = (NATSToken.encode(provider), EntryLifetime.lasting(delay).json)
    Task { try? await stream.put(value, for: key, in: .delays) }
    delayPolls(of: provider, until: now + delay)
  }

  /// Another worker shares a delay.
  func delay(_ provider: String, until end: ContinuousClock.Instant) {
    if delays.delay(provider, until: end, at: .now) { delayPolls(of: provider, until: end) }
  }

  private func delayPolls(of provider: String, until end: ContinuousClock.Instant) {
    for resource in resources.values where resource.name.providerID == provider {
      resource.model?.delayPoll(until: end + .seconds(Double.random(in: 0..<1)))
    }
  }
}
