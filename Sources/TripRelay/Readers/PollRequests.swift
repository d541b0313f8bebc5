package import FleetEngineAPI
import RelayAPI
import WireSystem

/// Adds, renews and removes the poll requests of resources in their bucket.
package final class PollRequests: Sendable {
  private static let attempts = 5
  /// The maximum number of open requests. Each takes a round trip.
  private static let mostRequests = 256

  private let stream: JetStream
  /// Why this user may not create the streams.
  private let refusal = Locked<NATSError?>(nil)

  /// - Parameter waiting: called once if NATS has no stream, leader or answer for longer than a second.
  package init(
    _ client: RelayClient, waiting: @escaping @Sendable (NATSError) -> Void = { _ in }
  ) {
    let isWaiting = Locked(false)
    stream = JetStream(client) { error in
      let isFirst = isWaiting.withLock { isWaiting in
        defer { isWaiting = true }
        return !isWaiting
      }
      if isFirst { waiting(error) }
    }
  }

  /// Creates the streams if this user may; otherwise a worker does.
  package func prepare() async throws(NATSError) {
    do throws(NATSError) {
      try await stream.setUp()
    } catch {
      guard error.kind == .notPermitted else { throw error }
      refusal.withLock { $0 = error }
    }
  }

  /// Requests that workers poll resources for a time, or until `remove` if `duration` is nil. Does not shorten an
  /// earlier, longer request.
  package func add(
    _ names: [ResourceName], for duration: Duration?
  ) async throws(NATSError) {
    for name in names { try RelayNames.check(name) }
    do throws(NATSError) {
      try await forEach(names) { [self] name throws(NATSError) in
        try await stream.retrying { () async throws(NATSError) in
          // Most resources are not requested yet.
          _ = try await prolong(RelayNames.key(name), for: duration, since: nil)
        }
      }
    } catch {
      guard error.kind == .noStream, let refusal = refusal.withLock({ $0 })
      else { throw error }
      throw NATSError(
        .noStream, "\(error.message), and this user may not create it: \(refusal.message)",
        hint: RelayHint.refusedStream)
    }
  }

  /// Renews the request of a resource if it ends before the next renewal.
  ///
  /// - Parameters:
  ///   - isUnanswered: stores the request again although it has not ended, unless somebody has just done so. Copies of
  ///     a bucket that became different (nats-server 2.9) may lack it, or refuse to replace another message.
  ///   - learnsClock: whether to compare the clock if a message is stored.
  /// - Returns: an estimate of the clock of NATS.
  func keep(
    _ name: ResourceName, for lease: Duration, every period: Duration, isUnanswered: Bool,
    _ clock: ServerClock, learnsClock: Bool
  ) async throws(NATSError) -> ServerClock? {
    try await stream.retrying { () async throws(NATSError) in
      let key = RelayNames.key(name)
      let last = try await stream.entry(key, in: .pollRequests)
      let now = clock.seconds(at: .now)
      if let last, let value = last.message.lifetime {
        let isOld = isUnanswered && (learnsClock || now - last.time >= period / .seconds(1))
        let isEnding = value.end(storedAt: last.time).map { $0 - now < period / .seconds(1) }
        guard isOld || isEnding ?? false else { return nil }
      }
      let sent = WallTime.now
      let number =
        isUnanswered
        ? try await stream.put(
          EntryLifetime.lasting(lease).longer(last).json, for: key, in: .pollRequests)
        : try await prolong(key, for: lease, since: last)
      let acknowledged = WallTime.now
      guard learnsClock, let stored = try await stream.entry(key, in: .pollRequests),
        stored.sequence == number
      else { return nil }
      var clock = ServerClock()
      clock.learn(stored: stored.time, sent: sent, acknowledged: acknowledged)
      return clock
    }
  }

  /// - Parameter last: the last message of the key, as far as it is known.
  /// - Returns: the number of the new message.
  private func prolong(
    _ key: String, for duration: Duration?, since last: JetStream.StoredMessage?
  ) async throws(NATSError) -> UInt64 {
    var last = last
    var number = last?.sequence ?? 0
    var attempt = 1
    while true {
      let value = (duration.map(EntryLifetime.lasting) ?? .pinned).longer(last)
      do throws(NATSError) {
        return try await stream.put(
          value.json, for: key, in: .pollRequests, after: number)
      } catch {
        // There is another message.
        attempt += 1
        guard error.kind == .wrongLastSequence, attempt <= Self.attempts else { throw error }
        last = try await stream.entry(key, in: .pollRequests)
        number = last?.sequence ?? 0
        // A copy of the bucket that lags behind its leader, or lost messages, does not have this one. nats-server 2.9
        // can lose them for good.
        if attempt > 2, let present = error.lastSequence { number = present }
      }
    }
  }

  /// Calls `body` for resources, many at the same time.
  private func forEach(
    _ names: [ResourceName],
    _ body: @escaping @Sendable (ResourceName) async throws(NATSError) -> Void
  ) async throws(NATSError) {
    let failure = await withTaskGroup(of: NATSError?.self) { group in
      var rest = names[...]
      func start() {
        guard let name = rest.popFirst() else { return }
        group.addTask {
          do throws(NATSError) {
            try await body(name)
            return nil
          } catch {
            return error
          }
        }
      }
      for _ in 0..<Self.mostRequests { start() }
      var failure: NATSError?
      while let result = await group.next() {
        failure = failure ?? result
        // The open requests end, too.
        if failure == nil { start() }
      }
      return failure
    }
    if let failure { throw failure }
  }

  /// Removes the request of a resource that is over, or whose request has ended.
  ///
  /// - Parameter clock: keeps the request if it has not ended by this clock, because it was renewed; nil removes it
  ///   in any case.
  func withdraw(_ key: String, ifExpiredBy clock: ServerClock?) async throws(NATSError) {
    guard let last = try await stream.entry(key, in: .pollRequests) else { return }
    if let clock, let value = last.message.lifetime {
      guard let end = value.end(storedAt: last.time), end <= clock.seconds(at: .now) else { return }
    }
    // The other workers are notified of the removal before it is purged.
    let removal = try await stream.markRemoved(key, in: .pollRequests, after: last.sequence)
    try await stream.purge(key, in: .pollRequests, through: removal)
  }

  /// Withdraws the requests of resources. Readers that are running request them again.
  package func remove(_ names: [ResourceName]) async throws(NATSError) {
    for name in names { try RelayNames.check(name) }
    try await forEach(names) { [self] name throws(NATSError) in
      try await remove(RelayNames.key(name))
    }
  }

  private func remove(_ key: String) async throws(NATSError) {
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

extension EntryLifetime {
  /// Returns the longer one of this lifetime and that of a message in the bucket.
  ///
  /// The clocks may differ by some seconds, which readers renew in time.
  fileprivate func longer(_ last: JetStream.StoredMessage?) -> EntryLifetime {
    guard let last, let present = last.message.lifetime else { return self }
    return longer(present, storedAt: last.time)
  }

  /// Returns the longer one of this lifetime and another that was stored at a time, in seconds since 1970.
  func longer(_ present: EntryLifetime, storedAt time: Double) -> EntryLifetime {
    guard case .lasting(let duration) = self else { return self }
    guard let end = present.end(storedAt: time) else { return .pinned }
    let rest = Duration.seconds(max(0, min(end - WallTime.now, 1e9)))
    return .lasting(max(duration, rest))
  }
}
