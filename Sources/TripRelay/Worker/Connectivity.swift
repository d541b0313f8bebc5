/// Whether NATS is reachable, and stores what this worker publishes.
struct Connectivity: Sendable {
  /// The time without a stored heartbeat after which the worker counts as cut off.
  private let lease: Duration
  private var lost: ContinuousClock.Instant?
  /// When NATS last stored a heartbeat of this worker.
  private var lastStored: ContinuousClock.Instant
  /// Whether polling has stopped, because NATS was unreachable for too long.
  var isSuspended = false

  init(lease: Duration, at now: ContinuousClock.Instant = .now) {
    self.lease = lease
    lastStored = now
  }

  var isConnected: Bool { lost == nil }

  mutating func disconnected(at now: ContinuousClock.Instant) { lost = lost ?? now }

  mutating func reconnected() { lost = nil }

  mutating func heartbeatStored(at now: ContinuousClock.Instant) { lastStored = now }

  /// Whether heartbeats are not stored. A connected node may have no majority: it stores nothing, and passes on
  /// no heartbeats of others.
  func hasLeaseEnded(at now: ContinuousClock.Instant) -> Bool { now - lastStored > lease }

  /// Returns since when nothing can be published; nil if it can.
  func unreachableSince(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    lost ?? (hasLeaseEnded(at: now) ? lastStored : nil)
  }
}
