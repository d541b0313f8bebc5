import FleetEngineAPI
import RelayAPI
import Tripwire

@testable import TripRelay

/// A worker with the decisions of the real one, which polls a simulated fleet.
final class SimulatedWorker {
  private final class Resource {
    var publication: ResourcePublication
    /// Of the polls; results of an earlier one are ignored. Nil while the resource is not polled.
    var polls: Int?
    var version = 0
    var isFinal = false
    var hasFailure = false
    var lastPoll: (began: ContinuousClock.Instant, ended: ContinuousClock.Instant)?
    var term: ResourceView.Term

    init(_ term: ResourceView.Term, at now: ContinuousClock.Instant) {
      self.term = term
      publication = ResourcePublication(at: now)
    }
  }

  static let interval = Duration.seconds(1)

  let name: String
  private let time: VirtualTime
  private let nats: SimulatedNATS
  private let fleet: SimulatedFleet
  private let link: SimulatedNATS.Link
  private let options: RelayWorkerOptions
  private var core: WorkerCore
  private var streams: ExistingStreams
  private var resources: [String: Resource] = [:]
  private var lastPoll = 0
  private var lastTerm: UInt64 = 0
  private var pendingPublications = 0
  private(set) var isAlive = true
  var pollsNothing: Bool { resources.isEmpty }
  private var isSuspended = false
  private var pauseEnd: ContinuousClock.Instant?

  init(
    _ name: String, _ time: VirtualTime, _ nats: SimulatedNATS, _ fleet: SimulatedFleet
  ) {
    (self.name, self.time, self.nats, self.fleet) = (name, time, nats, fleet)
    var options = RelayWorkerOptions()
    options.trip.refreshInterval = Self.interval
    self.options = options
    link = nats.connect()
    core = WorkerCore(name: name, options, at: time.now)
    streams = ExistingStreams(at: time.now)
    link.disconnected = { [weak self] in self?.later { $0.disconnected() } }
    link.reconnected = { [weak self] in self?.later { $0.reconnected() } }
    link.consumersLost = { [weak self] in self?.later { $0.watch() } }
    link.hear = { [weak self] worker, heartbeat in
      self?.later { $0.hear(worker, heartbeat) }
    }
    watch()
    tick()
  }

  // MARK: Faults

  func kill() {
    isAlive = false
    nats.close(link)
  }

  /// Stops the process for a time. Its messages wait.
  func pause(for duration: Duration) { pauseEnd = time.now + duration }

  func cut(for duration: Duration) { nats.cut(link, for: duration) }

  func stall(for duration: Duration) { nats.stall(link, for: duration) }

  /// Runs what arrives, unless the process is stopped or gone.
  private func later(_ body: @escaping (SimulatedWorker) -> Void) {
    guard isAlive else { return }
    if let end = pauseEnd, end > time.now {
      return time.at(end) { [weak self] in self?.later(body) }
    }
    body(self)
  }

  // MARK: The worker

  private func watch() {
    for bucket in BucketReader.buckets { core.beginReading(bucket) }
    nats.watch(link) { [weak self] in
      self?.later { worker in
        for bucket in BucketReader.buckets { worker.core.endReading(bucket) }
        worker.carryOut()
      }
    } _: { [weak self] change in
      self?.later { worker in
        worker.core.take(change, at: worker.time.moment)
        worker.carryOut()
      }
    }
  }

  private func hear(_ worker: String, _ heartbeat: Heartbeat) {
    core.hear(worker, heartbeat, at: time.moment)
    carryOut()
  }

  private func tick() {
    later { worker in
      let now = worker.time.now
      if worker.core.isConnected { worker.checkStreams() }
      worker.core.tick(at: now)
      worker.carryOut()
      for resource in worker.resources {
        if let poll = resource.value.lastPoll {
          resource.value.publication.renew(poll, after: worker.options.renewal, at: now)
        }
        worker.proceed(resource.key)
      }
      worker.time.at(min(now + .milliseconds(250), worker.core.nextTick(at: now))) {
        [weak worker] in worker?.tick()
      }
    }
  }

  private func carryOut() {
    for command in core.takeCommands() {
      switch command {
      case .take(let key):
        resources[key] = Resource(newTerm(), at: time.now)
        proceed(key)
      case .drop(let key): resources[key] = nil
      case .withdraw(let key): nats.removeRequest(key, link)
      case .suspendPolls: isSuspended = true
      case .resumePolls:
        isSuspended = false
        for (key, resource) in resources where resource.polls != nil { poll(key) }
      case .sendHeartbeat: sendHeartbeat()
      case .handOver: handOver(until: time.now + .milliseconds(400))
      case .begin, .delayPolls, .setLayout, .spreadLeaders: break
      }
    }
  }

  private func handOver(until deadline: ContinuousClock.Instant) {
    guard pendingPublications > 0, time.now < deadline else { return sendHeartbeat() }
    time.after(.milliseconds(10)) { [weak self] in
      self?.later { $0.handOver(until: deadline) }
    }
  }

  private func sendHeartbeat() {
    let heartbeat = core.heartbeat(lateness: .zero, at: time.now)
    guard core.isConnected else { return }
    nats.put(heartbeat, of: name, link) { [weak self] result in
      self?.later { worker in
        guard case .success = result else { return }
        worker.core.heartbeatStored(at: worker.time.now)
        worker.carryOut()
      }
    }
  }

  private func disconnected() { _ = core.disconnected(at: time.now) }

  private func reconnected() {
    core.reconnected(at: time.now)
    streams.forget(at: time.now)
    for resource in resources.values { resource.publication.reconnected(at: time.now) }
    carryOut()
    watch()
  }

  private func checkStreams() {
    guard streams.beginCheck(at: time.now) else { return }
    nats.readStreamTime(link) { [weak self] result in
      self?.later { $0.streamsRead(result) }
    }
  }

  private func streamsRead(_ result: Result<Timestamp, NATSError>) {
    streams.endCheck()
    guard case .success(let created) = result else { return streams.retryCheck(from: time.now) }
    if !streams.found(["trips": created], at: time.now).isEmpty {
      for resource in resources.values { resource.publication.streamLost(at: time.now) }
    }
    for key in resources.keys { proceed(key) }
  }

  // MARK: Resources

  private func newTerm() -> ResourceView.Term {
    lastTerm += 1
    return ResourceView.Term(worker: name, number: lastTerm)
  }

  private func proceed(_ key: String) {
    guard let resource = resources[key] else { return }
    while let command = resource.publication.next(
      at: time.now, isConnected: link.isConnected && streams.times["trips"] != nil)
    {
      switch command {
      case .read: read(key, resource)
      case .poll: poll(key)
      case .stop:
        (resource.polls, resource.lastPoll) = (nil, nil)
        (resource.version, resource.isFinal, resource.hasFailure) = (0, false, false)
        resource.term = newTerm()
      case .store(let message): store(message, key, resource)
      case .findStreams: streams.forget(at: time.now)
      case .withdraw: nats.removeRequest(key, link)
      case .report: break
      }
    }
  }

  private func read(_ key: String, _ resource: Resource) {
    nats.read(key, link, timeout: .seconds(1)) { [weak self] result in
      self?.later { worker in
        guard worker.resources[key] === resource else { return }
        switch result {
        case .success(let last):
          if resource.polls == nil, let last {
            (resource.version, resource.isFinal) = (last.state.version, last.state.isFinal)
          }
          resource.publication.found(
            last.map {
              ResourcePublication.Found(
                number: $0.number, sequence: $0.state.message.sequence,
                isOwn: $0.state.term == resource.term, isFinal: $0.state.isFinal)
            }, yieldingFor: Self.interval, at: worker.time.now)
        case .failure: resource.publication.readFailed(at: worker.time.now)
        }
        worker.proceed(key)
      }
    }
  }

  private func store(
    _ message: ResourcePublication.Message, _ key: String, _ resource: Resource
  ) {
    guard let streamTime = streams.times["trips"] else { return }
    let state = SimulatedNATS.State(
      version: resource.version, isFinal: resource.isFinal, hasError: resource.hasFailure,
      term: resource.term, message: message, streamTime: streamTime)
    let polled = resource.lastPoll?.ended
    pendingPublications += 1
    nats.publish(key, state, link) { [weak self] result in
      self?.later { worker in
        worker.pendingPublications -= 1
        guard worker.resources[key] === resource else { return }
        switch result {
        case .success(let number):
          resource.publication.stored(
            message, as: number, polled: polled, isFinal: state.isFinal, at: worker.time.now)
        case .failure(let error):
          resource.publication.storeFailed(message, error, at: worker.time.now)
        }
        worker.proceed(key)
      }
    }
  }

  /// Begins polls, the first one at once.
  private func poll(_ key: String) {
    guard let resource = resources[key] else { return }
    lastPoll += 1
    let polls = lastPoll
    resource.polls = polls
    poll(key, resource, polls)
  }

  private func poll(_ key: String, _ resource: Resource, _ polls: Int) {
    guard resource.polls == polls, resources[key] === resource, !isSuspended, isAlive else {
      return
    }
    if let end = pauseEnd, end > time.now {
      return time.at(end) { [weak self] in self?.poll(key, resource, polls) }
    }
    guard !resource.isFinal else { return }
    let began = time.now
    fleet.poll(key) { [weak self] result in
      self?.later { worker in
        worker.time.at(began + Self.interval) { worker.poll(key, resource, polls) }
        guard resource.polls == polls, worker.resources[key] === resource else { return }
        let hadFailure = resource.hasFailure
        var isChanged = false
        resource.hasFailure = result == nil
        if let result {
          isChanged = resource.version != result.version || resource.isFinal != result.isFinal
          (resource.version, resource.isFinal) = result
          resource.lastPoll = (began, worker.time.now)
        }
        if isChanged || hadFailure != resource.hasFailure {
          resource.publication.updated(
            pollBegan: resource.lastPoll?.began, hasFailure: hadFailure || resource.hasFailure,
            at: worker.time.now)
        }
        worker.proceed(key)
      }
    }
  }
}
