package import Tripwire
package import WireIO

/// Talks to NATS. The program `tripwire-relay` has one; `tripwire` does not link the NATS library.
package protocol RelayEngine: Sendable {
  /// Polls resources until the task is canceled.
  ///
  /// - Parameters:
  ///   - started: called once, when the worker begins to take resources.
  ///   - listening: called with the URL of the metrics.
  ///   - report: called when a problem occurs or changes.
  func work(
    _ work: RelayWork, _ server: RelayServer, on loop: EventLoop,
    started: @escaping @Sendable (RelayWorkStart) -> Void, listening: (_ url: String) -> Void,
    report: @escaping @Sendable (RelayFailure) -> Void
  ) async throws(RelayFailure)

  /// Requests that the workers poll resources.
  ///
  /// - Parameter duration: nil means until ``unwant(_:_:on:)`` or the end of the resource.
  func want(
    _ names: [ResourceName], for duration: Duration?, _ server: RelayServer, on loop: EventLoop
  ) async throws(RelayFailure)

  func unwant(
    _ names: [ResourceName], _ server: RelayServer, on loop: EventLoop
  ) async throws(RelayFailure)

  func status(_ server: RelayServer, on loop: EventLoop) async throws(RelayFailure)
    -> RelayOverview

  /// Writes the states of resources to stdout until nobody reads them, or the task is canceled.
  func read(
    _ names: [ResourceName], _ server: RelayServer, on loop: EventLoop,
    report: @escaping @Sendable (RelayFailure) -> Void
  ) async throws(RelayFailure)
}

/// The options of a worker.
package struct RelayWork: Sendable {
  package let endpoint: String
  package let tokens: TokenCache?
  package let configuration: ChannelConfiguration
  package let trip: TripModelOptions
  /// Nil for the default.
  package let capacity: Int?
  package let replicas: Int
  /// Where metrics are served; nil for nowhere.
  package let metrics: PageAddress?
  /// Whether other machines may read the metrics.
  package let allowsRemote: Bool
  /// Masks credentials in text.
  package let redact: @Sendable (String) -> String
}

/// A worker that begins to take resources.
package struct RelayWorkStart: Sendable {
  let worker: String
  /// The URL of NATS without credentials.
  let nats: String
  /// The number of other workers.
  let others: Int
  let capacity: Int

  package init(worker: String, nats: String, others: Int, capacity: Int) {
    self.worker = worker
    self.nats = nats
    self.others = others
    self.capacity = capacity
  }

  /// The line on stderr.
  func line(_ endpoint: String, every interval: Duration) -> String {
    let (seconds, attoseconds) = interval.components
    let time = Units.seconds(seconds, nanos: Int32(attoseconds / 1_000_000_000))
    return "worker \(worker): polls \(endpoint) every \(time), at most"
      + " \(Units.count(capacity, "resource")); shares the work of \(nats) with"
      + " \(Units.count(others, "other worker"))"
  }
}

/// A failed command of the relay.
package struct RelayFailure: Error, Sendable {
  let message: String
  let hint: String?

  package init(message: String, hint: String?) {
    self.message = message
    self.hint = hint
  }
}

/// The workers of a relay and its resources.
package struct RelayOverview: Sendable {
  package struct Worker: Sendable {
    let name: String
    let phase: String
    let resources: Int
    let capacity: Int
    let callsPerMinute: Int
    let errors: [String: Int]
    /// In milliseconds.
    let lag: Int
    /// The time since the last heartbeat.
    let age: Duration

    package init(
      name: String, phase: String, resources: Int, capacity: Int, callsPerMinute: Int,
      errors: [String: Int], lag: Int, age: Duration
    ) {
      self.name = name
      self.phase = phase
      self.resources = resources
      self.capacity = capacity
      self.callsPerMinute = callsPerMinute
      self.errors = errors
      self.lag = lag
      self.age = age
    }
  }

  let workers: [Worker]
  let wanted: Int
  let states: Int

  package init(workers: [Worker], wanted: Int, states: Int) {
    self.workers = workers
    self.wanted = wanted
    self.states = states
  }
}
