import FleetEngineAPI
import WireProtobuf

/// The streams that exist, which published states name.
struct ExistingStreams: Sendable {
  private static let checkInterval = Duration.seconds(10)

  /// When each stream was created; empty while that is not known. Nothing is published meanwhile.
  private(set) var times: [ResourceKind: Timestamp] = [:]
  /// The last times that were known.
  private var last: [ResourceKind: Timestamp] = [:]
  private var isBeingChecked = false
  private var nextCheck: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) { nextCheck = now }

  /// Returns the kinds whose streams are not the same as the last ones.
  mutating func found(
    _ times: [ResourceKind: Timestamp], at now: ContinuousClock.Instant
  ) -> [ResourceKind] {
    self.times = times
    delayCheck(from: now)
    defer { last = times }
    return times.keys.filter { kind in last[kind].map { $0 != times[kind] } ?? false }
  }

  /// A stream has lost its data, or may have.
  mutating func forget(at now: ContinuousClock.Instant) {
    times = [:]
    nextCheck = now
  }

  /// Returns whether to check the streams now.
  mutating func beginCheck(at now: ContinuousClock.Instant) -> Bool {
    guard !isBeingChecked, now >= nextCheck else { return false }
    isBeingChecked = true
    return true
  }

  mutating func endCheck() { isBeingChecked = false }

  mutating func delayCheck(from now: ContinuousClock.Instant) {
    nextCheck = now + Self.checkInterval
  }

  mutating func retryCheck(from now: ContinuousClock.Instant) { nextCheck = now + .seconds(1) }
}
