import WireProtobuf

/// The stream that exists, which published states name.
struct PresentStream: Sendable {
  private static let checkInterval = Duration.seconds(10)

  /// When the stream was created; nil while it is not known. Nothing is published meanwhile.
  private(set) var time: Timestamp?
  var isBeingChecked = false
  private var nextCheck = ContinuousClock.now

  mutating func found(_ time: Timestamp) {
    self.time = time
    delayCheck()
  }

  /// The stream has lost its data, or may have.
  mutating func forget() {
    time = nil
    nextCheck = .now
  }

  func isCheckDue(_ now: ContinuousClock.Instant) -> Bool { !isBeingChecked && now >= nextCheck }

  mutating func delayCheck() { nextCheck = .now + Self.checkInterval }

  mutating func retryCheck() { nextCheck = .now + .seconds(1) }
}
