import FleetEngineAPI
import WireProtobuf

/// The streams that exist, which published states name.
struct ExistingStreams: Sendable {
  private static let checkInterval = Duration.seconds(10)

  /// When each stream was created; empty while that is not known. Nothing is published meanwhile.
  private(set) var times: [ResourceKind: Timestamp] = [:]
  var isBeingChecked = false
  private var nextCheck = ContinuousClock.now

  mutating func found(_ times: [ResourceKind: Timestamp]) {
    self.times = times
    delayCheck()
  }

  /// A stream has lost its data, or may have.
  mutating func forget() {
    times = [:]
    nextCheck = .now
  }

  func isCheckDue(_ now: ContinuousClock.Instant) -> Bool { !isBeingChecked && now >= nextCheck }

  mutating func delayCheck() { nextCheck = .now + Self.checkInterval }

  mutating func retryCheck() { nextCheck = .now + .seconds(1) }
}
