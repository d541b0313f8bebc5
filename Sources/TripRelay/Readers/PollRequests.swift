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
    let key = RelayNames.key(name)
    var attempt = 1
    while true {
      let last = try await stream.entry(key, in: .pollRequests)
      var value = duration.map(EntryLifetime.lasting) ?? .pinned
      if let last, let present = last.message.lifetime {
        value = value.longer(present, storedAt: last.time)
      }
      do throws(NATSError) {
        let sent = WallTime.now
        try await stream.put(
          value.json, for: key, in: .pollRequests, after: last?.sequence ?? 0)
        let acknowledged = WallTime.now
        let stored = try await stream.entry(key, in: .pollRequests)
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
    guard let last = try await stream.entry(RelayNames.key(name), in: .pollRequests),
      let value = last.message.lifetime
    else { return .zero }
    return value.end(storedAt: last.time).map { .seconds(max(0, min($0 - clock.now, 1e9))) }
  }

  /// Removes the request of a resource that is over, or whose request has ended.
  ///
  /// - Parameter clock: keeps the request if it has not ended by this clock, because it was renewed; nil removes it
  ///   in any case.
  func withdraw(_ key: String, ifExpiredBy clock: ServerClock?) async throws(NATSError) {
    guard let last = try await stream.entry(key, in: .pollRequests) else { return }
    if let clock, let value = last.message.lifetime {
      guard let end = value.end(storedAt: last.time), end <= clock.now else { return }
    }
    // The other workers are notified of the removal before it is purged.
    let removal = try await stream.markRemoved(key, in: .pollRequests, after: last.sequence)
    try await stream.purge(key, in: .pollRequests, through: removal)
  }

  /// Withdraws the request of a resource. Readers that are running request it again.
  package func remove(_ name: ResourceName) async throws(NATSError) {
    try RelayNames.check(name)
    let key = RelayNames.key(name)
    guard try await stream.entry(key, in: .pollRequests) != nil else { return }
    let removal = try await stream.markRemoved(key, in: .pollRequests)
    do throws(NATSError) {
      try await stream.purge(key, in: .pollRequests, through: removal)
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
