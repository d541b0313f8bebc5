import WireProtobuf

/// The streams that exist, which published states name.
struct ExistingStreams: Sendable {
  private static let checkInterval = Duration.seconds(10)

  /// When each stream was created; empty while that is not known. Nothing is published meanwhile.
  private(set) var times: [String: Timestamp] = [:]
  /// The last times that were known.
  private var last: [String: Timestamp] = [:]
  private var isBeingChecked = false
  private var nextCheck: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) { nextCheck = now }

  /// Returns those that are not the same as the last ones with these names.
  mutating func found(
    _ times: [String: Timestamp], at now: ContinuousClock.Instant
  ) -> Set<String> {
    self.times.merge(times) { $1 }
    delayCheck(from: now)
    defer { last.merge(times) { $1 } }
    return Set(times.keys.filter { name in last[name].map { $0 != times[name] } ?? false })
  }

  /// A resource needs a stream.
  mutating func need(_ name: String, at now: ContinuousClock.Instant) {
    if times[name] == nil { nextCheck = min(nextCheck, now) }
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
