import FleetEngineAPI
import RelayAPI
import Tripwire
import WireIO
import WireProtobuf

/// Polls the resources of a worker, and publishes their states. Runs on the loop of its worker.
///
/// ``SharedResource`` decides for each resource, and this actor carries that out.
actor ResourcePublisher {
  private let client: RelayClient
  private let stream: JetStream
  private let requests: PollRequests
  private let fleet: FleetServices
  private let options: RelayWorkerOptions
  /// The name of the worker.
  private let worker: String
  private let metrics: WorkerMetrics
  private let problems: ProblemLog
  /// Passes updates of models to this actor.
  private let executor: CallbackExecutor

  private var resources: [String: SharedResource] = [:]
  private var clock = ServerClock()
  private var delays = ProviderDelays()
  private var existingStreams = ExistingStreams(at: .now)
  private var isSuspended = false
  private var lastPublication: UInt64 = 0
  /// The number of states that were published.
  private(set) var published = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe client.loop.asUnownedSerialExecutor()
  }

  init(
    _ client: RelayClient, _ fleet: FleetServices, worker: String, metrics: WorkerMetrics,
    _ options: RelayWorkerOptions, _ problems: ProblemLog
  ) {
    self.client = client
    self.fleet = fleet
    self.worker = worker
    self.metrics = metrics
    self.options = options
    self.problems = problems
    stream = JetStream(client)
    requests = PollRequests(client)
    let loop = client.loop
    executor = CallbackExecutor { body in loop.execute(body) }
  }

  /// The time by which the most overdue poll is late.
  func lag(_ now: ContinuousClock.Instant) -> Duration {
    resources.values.compactMap { $0.model?.nextRefresh.map { now - $0 } }.max() ?? .zero
  }

  var isPublishing: Bool { resources.values.contains(where: \.isPublishing) }

  // MARK: Resources

  func add(_ key: String) {
    guard resources[key] == nil, let name = RelayNames.name(key) else { return }
    let resource = SharedResource(key: key, name: name)
    resources[key] = resource
    load(resource)
  }

  func remove(_ key: String) {
    resources.removeValue(forKey: key)?.stop()
  }

  func removeAll() {
    for resource in resources.values { resource.stop() }
    resources = [:]
  }

  /// Carries out what is due. Call it several times a second while NATS is connected.
  func check(_ now: ContinuousClock.Instant) {
    for resource in resources.values {
      if resource.isLoadDue(at: now) { load(resource) }
      resource.renew(after: options.renewal)
      publishIfDue(resource, at: now)
    }
  }

  /// Whether the resource of this key is still this object.
  private func isCurrent(_ resource: SharedResource) -> Bool {
    resources[resource.key] === resource
  }

  /// The resource is final and announced.
  private func end(_ resource: SharedResource) {
    resource.stop()
    withdraw(resource.key, ifExpired: false)
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
        default: problems.add(error)
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
    for resource in resources.values { resource.reconnected(at: now) }
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
  func found(_ streams: [ResourceKind: Timestamp]) { existingStreams.found(streams, at: .now) }

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
      let times = try await stream.ensureStreams(replicas: options.replicas)
      guard times != existingStreams.times else { return }
      existingStreams.found(times, at: .now)
      // The states in a new stream have to name it.
      for resource in resources.values where resource.model != nil { resource.setChanged() }
    } catch {
      existingStreams.retryCheck(from: .now)
      if error.kind != .disconnected { problems.add(error) }
    }
  }

  // MARK: Load and poll

  /// Reads the last state of a resource, and then polls.
  private func load(_ resource: SharedResource) {
    resource.startLoading()
    Task {
      do throws(NATSError) {
        let last = try await stream.lastState(of: resource.name)
        guard isCurrent(resource) else { return }
        resource.adopt(last)
        if last?.state.isFinal == true {
          end(resource)
        } else {
          startPolling(resource, last)
        }
      } catch {
        resource.loadFailed(at: .now)
        if error.kind != .disconnected { problems.add(error) }
      }
    }
  }

  /// Starts to poll from the last state.
  private func startPolling(_ resource: SharedResource, _ last: LastState?) {
    let model = fleet.model(of: resource.name)
    model.configure(
      interval: options.trip.refreshInterval, options.trip.requestOptions, options.trip.callOptions)
    if let last { model.seed(last.state, refreshed: clock.instant(of: last.confirmed)) }
    resource.startPolling(model)
    let key = resource.key
    model.observe(ObjectIdentifier(resource), on: executor) { [weak self] model, update in
      guard let self else { return false }
      if let update { self.assumeIsolated { $0.resourceChanged(key, model, update) } }
      return true
    }
    if let end = delays.end(of: resource.name.providerID) { model.delayPoll(until: end) }
    if isSuspended { model.suspend() }
  }

  private func resourceChanged(
    _ key: String, _ model: any AnyResourceModel, _ update: RelayedUpdate
  ) {
    guard let resource = resources[key], resource.model === model else { return }
    if update.failureChanged, let failure = update.failure { shareDelay(failure, resource) }
    guard resource.isNews(update) else { return }
    resource.setChanged()
    publishIfDue(resource)
  }

  // MARK: Delays

  /// Notifies all workers that the server asks to delay the polls of a provider.
  private func shareDelay(_ failure: RefreshFailure, _ resource: SharedResource) {
    let (now, provider) = (ContinuousClock.now, resource.name.providerID)
    guard let delay = delays.delay(provider, after: failure, at: now) else { return }
    let (key, value) = (NATSToken.encode(provider), EntryLifetime.lasting(delay).json)
    Task { try? await stream.put(value, for: key, in: .delays) }
    delayPolls(of: provider, until: now + delay)
  }

  /// Another worker shares a delay.
  func delay(_ provider: String, until end: ContinuousClock.Instant) {
    if delays.delay(provider, until: end) { delayPolls(of: provider, until: end) }
  }

  private func delayPolls(of provider: String, until end: ContinuousClock.Instant) {
    for resource in resources.values where resource.name.providerID == provider {
      resource.model?.delayPoll(until: end + .seconds(Double.random(in: 0..<1)))
    }
  }

  // MARK: Publish

  /// Publishes the present state of a resource, unless a message is on its way.
  ///
  /// - Parameter oversize: why the whole resource cannot be published; nil if it can.
  private func publishIfDue(
    _ resource: SharedResource, at now: ContinuousClock.Instant = .now,
    without oversize: NATSError? = nil
  ) {
    guard let step = resource.nextStep(at: now), client.isConnected else { return }
    switch step {
    case .publish: publish(resource, without: oversize)
    case .resolve: resolve(resource)
    }
  }

  private func publish(_ resource: SharedResource, without oversize: NATSError?) {
    guard let streamTime = existingStreams.times[resource.name.kind],
      let new = resource.newState(
        without: oversize, worker: worker, streamTime: streamTime, options)
    else { return }
    let id = beginPublication(of: resource)
    // A closure and not a task, because this is done for each update.
    stream.publish(
      RelayNames.stateSubject(resource.name), in: RelayNames.stream(resource.name.kind), new.bytes,
      after: resource.lastMessage
    ) { [key = resource.key] result in
      self.assumeIsolated { $0.publicationEnded(id, of: key, new, result) }
    }
  }

  private func beginPublication(of resource: SharedResource) -> UInt64 {
    lastPublication += 1
    resource.beginPublication(lastPublication)
    return lastPublication
  }

  private func publicationEnded(
    _ id: UInt64, of key: String, _ new: NewState, _ result: Result<UInt64, NATSError>
  ) {
    if case .success = result { published += 1 }
    guard let resource = resources[key], resource.isPublishing(id) else { return }
    switch result {
    case .success(let message):
      resource.published(new, in: message)
      if new.resource?.isFinal == true { return end(resource) }
      publishIfDue(resource)
    case .failure(let error):
      if error.kind != .wrongLastSequence { metrics.countPublishFailure() }
      react(resource.publicationFailed(error, of: new, at: .now), resource, error)
    }
  }

  private func react(
    _ reaction: SharedResource.Reaction, _ resource: SharedResource, _ failure: NATSError
  ) {
    switch reaction {
    case .wait(let report):
      if let report { problems.add(report) }
    case .resolve: resolve(resource)
    case .findStreams(let report):
      existingStreams.forget(at: .now)
      if let report { problems.add(report) }
    case .publishWithoutResource(let report):
      if let report { problems.add(report) }
      publishIfDue(resource, without: failure)
    }
  }

  /// Finds out who published the last message: this worker continues, or yields to another one.
  private func resolve(_ resource: SharedResource) {
    _ = beginPublication(of: resource)
    Task {
      do throws(NATSError) {
        let last = try await stream.lastState(of: resource.name)
        guard isCurrent(resource), resource.model != nil else { return }
        if last == nil, resource.lastMessage != 0 { existingStreams.forget(at: .now) }
        let yieldEnd = ContinuousClock.now + max(options.trip.refreshInterval, .seconds(1))
        if resource.resolved(last, worker: worker, yieldingUntil: yieldEnd) {
          publishIfDue(resource)
        } else if last?.state.isFinal == true {
          end(resource)
        }
      } catch {
        resource.resolutionFailed(at: .now)
      }
    }
  }
}
