/// Whether NATS is reachable, and stores what this worker publishes.
struct Connectivity: Sendable {
  /// The time without a stored heartbeat after which the worker counts as cut off.
  private let lease: Duration
  private var lost: ContinuousClock.Instant?
  /// When NATS last stored a heartbeat of this worker.
  private var lastStored: ContinuousClock.Instant
  /// Whether polling has stopped, because NATS was unreachable for too long.
  private var isSuspended = false

  init(lease: Duration, at now: ContinuousClock.Instant) {
    self.lease = lease
    lastStored = now
  }

  var isConnected: Bool { lost == nil }

  mutating func disconnected(at now: ContinuousClock.Instant) { lost = lost ?? now }

  mutating func reconnected() { lost = nil }

  /// Returns whether to poll again.
  mutating func resume(at now: ContinuousClock.Instant) -> Bool {
    lastStored = now
    defer { isSuspended = false }
    return isSuspended
  }

  /// Returns whether to stop polling now, because nothing could be published for longer than `timeout`.
  mutating func suspend(at now: ContinuousClock.Instant, after timeout: Duration) -> Bool {
    guard !isSuspended, let since = lost ?? (hasLeaseEnded(at: now) ? lastStored : nil),
      now - since > timeout
    else { return false }
    isSuspended = true
    return true
  }

  /// Whether heartbeats are not stored. A connected node may have no majority: it stores nothing, and passes on
  /// no heartbeats of others.
  func hasLeaseEnded(at now: ContinuousClock.Instant) -> Bool { now - lastStored > lease }
}
