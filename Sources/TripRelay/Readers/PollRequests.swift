package import FleetEngineAPI
import WireSystem

/// Adds, renews and removes the poll requests of resources in their bucket.
package struct PollRequests: Sendable {
  private static let attempts = 5

  private let stream: JetStream

  package init(_ client: RelayClient) {
    stream = JetStream(client)
  }

  /// Creates the streams if this user may; otherwise a worker does.
  package func prepare() async throws(NATSError) {
    do throws(NATSError) {
      _ = try await stream.retrying { () async throws(NATSError) in
        try await stream.ensureStreams()
      }
    } catch {
      guard error.kind == .notPermitted else { throw error }
    }
  }

  /// Requests that a worker polls a resource for a time, or until `remove` if `duration` is nil. Does not
  /// shorten an earlier, longer request.
  ///
  /// - Returns: an estimate of the clock of NATS.
  @discardableResult
  package func add(_ name: ResourceName, for duration: Duration?) async throws(NATSError)
    -> ServerOffset
  {
    try RelayNames.check(name)
    return try await stream.retrying { () async throws(NATSError) in
      try await prolong(name, for: duration)
    }
  }

  private func prolong(
    _ name: ResourceName, for duration: Duration?
  ) async throws(NATSError) -> ServerOffset {
    let subject = RelayNames.pollRequests.subject(RelayNames.key(name))
    var attempt = 1
    while true {
      let last = try await stream.last(subject, in: RelayNames.pollRequests.stream)
      var value = duration.map(EntryLifetime.lasting) ?? .pinned
      if let last, last.message.headers["KV-Operation"] == nil,
        let present = EntryLifetime(last.message.data)
      {
        value = value.longer(present, storedAt: last.time)
      }
      do throws(NATSError) {
        let sent = WallTime.now
        _ = try await stream.publish(
          subject, in: RelayNames.pollRequests.stream, Array(value.json.utf8),
          after: last?.sequence ?? 0)
        let acknowledged = WallTime.now
        let stored = try await stream.last(subject, in: RelayNames.pollRequests.stream)
        var clock = ServerClock()
        if let stored { clock.learn(stored: stored.time, sent: sent, acknowledged: acknowledged) }
        return ServerOffset(seconds: clock.offset)
      } catch {
        // Another reader was faster.
        attempt += 1
        guard error.kind == .wrongLastSequence, attempt <= Self.attempts else { throw error }
      }
    }
  }

  /// Returns how long a resource is requested from now on; nil if it is pinned, zero if it is not requested.
  func remaining(_ name: ResourceName, _ clock: ServerClock) async throws(NATSError) -> Duration? {
    let subject = RelayNames.pollRequests.subject(RelayNames.key(name))
    guard let last = try await stream.last(subject, in: RelayNames.pollRequests.stream),
      last.message.headers["KV-Operation"] == nil, let value = EntryLifetime(last.message.data)
    else { return .zero }
    return value.end(storedAt: last.time).map { .seconds(max(0, min($0 - clock.now, 1e9))) }
  }

  /// Withdraws the request of a resource. Readers that are running request it again.
  package func remove(_ name: ResourceName) async throws(NATSError) {
    try RelayNames.check(name)
    let subject = RelayNames.pollRequests.subject(RelayNames.key(name))
    guard try await stream.last(subject, in: RelayNames.pollRequests.stream) != nil else { return }
    let removal = try await stream.publish(
      subject, in: RelayNames.pollRequests.stream, [], headers: ["KV-Operation": "DEL"])
    do throws(NATSError) {
      try await stream.purge(subject, in: RelayNames.pollRequests.stream, through: removal)
    } catch {
      // Only the marker of the removal is left.
      guard error.kind == .notPermitted || error.kind == .timeout else { throw error }
    }
  }
}

/// The server's time of day minus this machine's.
package struct ServerOffset: Sendable {
  let seconds: Double
}

extension EntryLifetime {
  /// Returns the longer of two lifetimes.
  ///
  /// - Parameters:
  ///   - present: the value in the bucket.
  ///   - time: when it was stored, in seconds since 1970. The clocks may differ by some seconds, which
  ///     readers renew in time.
  func longer(_ present: EntryLifetime, storedAt time: Double) -> EntryLifetime {
    guard case .lasting(let duration) = self else { return self }
    guard let end = present.end(storedAt: time) else { return .pinned }
    let rest = Duration.seconds(max(0, min(end - WallTime.now, 1e9)))
    return .lasting(max(duration, rest))
  }
}
