import TripRelay
import Tripwire
import TripwireCLI
import WireIO
import WireSystem

/// Carries out the commands of `tripwire relay` with NATS.
struct NATSEngine: RelayEngine {
  func work(
    _ work: RelayWork, _ server: RelayServer, on loop: EventLoop,
    started: @escaping @Sendable (RelayWorkStart) -> Void, listening: (_ url: String) -> Void,
    report: @escaping @Sendable (RelayFailure) -> Void
  ) async throws(RelayFailure) {
    let counter = CallCounter()
    var configuration = work.configuration
    configuration.interceptors.append(counter)
    // A worker outlives failed connections.
    configuration.failFast = true
    let fleet: FleetServices
    do throws(CallError) {
      // The provider of each call is in the name of its resource.
      fleet = try FleetServices(
        providerID: "relay", endpoint: work.endpoint, tokenProvider: work.tokens,
        configuration: configuration)
    } catch {
      throw RelayFailure(message: error.message, hint: nil)
    }
    var options = RelayWorkerOptions()
    if let capacity = work.capacity { options.capacity = capacity }
    let capacity = options.capacity
    options.replicas = work.replicas
    options.trip = work.trip
    options.redact = work.redact
    let metrics = WorkerMetrics(counter)
    let monitoring = try work.metrics.map { address throws(RelayFailure) in
      try MetricsServer(address, allowsRemote: work.allowsRemote) { metrics.text }
    }
    defer { monitoring?.stop() }
    if let monitoring { listening(monitoring.url) }
    try await connected(server, loop) { client throws(NATSError) in
      try await RelayWorker(
        client, fleet, metrics: metrics, options,
        started: { name, others in
          started(
            RelayWorkStart(
              worker: name, nats: client.shownURL, others: others, capacity: capacity))
        }, report: { report(RelayFailure($0)) }
      ).run()
    }
  }

  func want(
    _ names: [ResourceName], for duration: Duration?, _ server: RelayServer, on loop: EventLoop
  ) async throws(RelayFailure) {
    try await connected(server, loop) { client throws(NATSError) in
      let pollRequests = PollRequests(client)
      try await pollRequests.prepare()
      for name in names { try await pollRequests.add(name, for: duration) }
    }
  }

  func unwant(
    _ names: [ResourceName], _ server: RelayServer, on loop: EventLoop
  ) async throws(RelayFailure) {
    try await connected(server, loop) { client throws(NATSError) in
      let pollRequests = PollRequests(client)
      for name in names { try await pollRequests.remove(name) }
    }
  }

  func status(
    _ server: RelayServer, on loop: EventLoop
  ) async throws(RelayFailure) -> RelayOverview {
    let status = try await connected(server, loop) { client throws(NATSError) in
      try await RelayStatus(client)
    }
    return RelayOverview(
      workers: status.workers.map {
        RelayOverview.Worker(
          name: $0.name, phase: $0.isLost ? "lost" : $0.heartbeat.phase.rawValue,
          resources: $0.heartbeat.resources,
          capacity: $0.heartbeat.capacity, callsPerMinute: $0.heartbeat.callsPerMinute,
          errors: $0.heartbeat.errors, lag: $0.heartbeat.lag, age: $0.age)
      }, wanted: status.wanted, states: status.states)
  }

  func read(
    _ names: [ResourceName], _ server: RelayServer, on loop: EventLoop,
    report: @escaping @Sendable (RelayFailure) -> Void
  ) async throws(RelayFailure) {
    let output = try mapError(StateOutput()) { (error: IOError) in
      RelayFailure(message: "cannot \(error)", hint: nil)
    }
    try await connected(server, loop) { client throws(NATSError) in
      try await RelayReader(client, names, to: output) { report(RelayFailure($0)) }.run()
    }
    if let failure = output.failure {
      throw RelayFailure(
        message: "cannot write to stdout: \(failure.code)",
        hint: "check the file or device that stdout is redirected to")
    }
  }

  private func connected<Success: Sendable>(
    _ server: RelayServer, _ loop: EventLoop,
    _ body: (RelayClient) async throws(NATSError) -> Success
  ) async throws(RelayFailure) -> Success {
    var options = NATSOptions()
    if let url = server.url { options.url = url }
    options.credentialsFile = server.credentialsFile
    options.trustFile = server.trustFile
    options.certificateFile = server.certificateFile
    options.keyFile = server.keyFile
    if let prefix = server.inboxPrefix { options.inboxPrefix = prefix }
    do throws(NATSError) {
      let client = try await RelayClient.connect(options, on: loop)
      let result: Result<Success, NATSError>
      do throws(NATSError) {
        result = .success(try await body(client))
      } catch {
        result = .failure(error)
      }
      client.close()
      return try result.get()
    } catch {
      throw RelayFailure(error)
    }
  }
}

extension RelayFailure {
  fileprivate init(_ error: NATSError) {
    self.init(message: error.message, hint: error.hint)
  }
}
