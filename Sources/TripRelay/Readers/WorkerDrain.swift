import WireIO

/// Drains workers, whose resources others then poll, and undoes that.
package struct WorkerDrain: Sendable {
  package enum Failure: Error {
    case nats(NATSError)
    /// No worker has this name.
    case unknownWorker(others: [String])
    /// The worker sends no heartbeats.
    case lost(RelayStatus.Worker)
    /// The worker does not do what it was asked for.
    case noAnswer
  }

  /// How long a worker may take to answer.
  private static let patience = Duration.seconds(10)

  private let client: RelayClient
  private let stream: JetStream

  package init(_ client: RelayClient) {
    self.client = client
    stream = JetStream(client)
  }

  /// Drains a worker, or undoes that, and waits until it has done so.
  ///
  /// - Returns: the other workers.
  package func set(
    _ isDrained: Bool, of worker: String
  ) async throws(Failure) -> [RelayStatus.Worker] {
    let workers = try await nats { () throws(NATSError) in
      try await RelayStatus.Worker.all(stream)
    }
    guard let found = workers.first(where: { $0.name == worker }) else {
      throw .unknownWorker(others: workers.filter { !$0.isLost }.map(\.name))
    }
    guard !found.isLost else { throw .lost(found) }
    try await nats { () throws(NATSError) in
      let key = RelayNames.drainKey(worker)
      try await stream.put(DrainValue(isDrained).json, for: key, in: .workers)
    }
    let deadline = ContinuousClock.now + Self.patience
    while try await phase(of: worker) != (isDrained ? .drained : .working) {
      guard .now < deadline, await client.loop.sleep(until: .now + .milliseconds(100)) else {
        throw .noAnswer
      }
    }
    return workers.filter { $0.name != worker }
  }

  private func phase(of worker: String) async throws(Failure) -> Heartbeat.Phase? {
    let last = try await nats { () throws(NATSError) in
      try await stream.entry(NATSToken.encode(worker), in: .workers)
    }
    return last.flatMap { Heartbeat($0.message.data)?.phase }
  }

  private func nats<Result>(
    _ body: () async throws(NATSError) -> Result
  ) async throws(Failure) -> Result {
    do throws(NATSError) {
      return try await body()
    } catch {
      throw .nats(error)
    }
  }
}
