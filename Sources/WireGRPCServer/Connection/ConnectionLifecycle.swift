/// The phases of a connection up to its end, and their time limits. It has no clock: time is passed in.
///
///     serving --shutDown()--> goAwayAnnounced --PING acknowledged, or late--> draining
///        |                           |                                           | last stream ended
///        +---- session is over ------+-------------------------------------------+--> closed
///
/// The first GOAWAY lets requests that are on their way arrive; the last one names the last stream
/// (RFC 9113 §6.8).
struct ConnectionLifecycle {
  enum Phase: Equatable {
    case serving
    case goAwayAnnounced
    case draining
    case closed
  }

  private(set) var phase = Phase.serving
  /// When the phase began.
  private var phaseStart: ContinuousClock.Instant
  /// When the client last continued a call or read.
  private var lastProgress: ContinuousClock.Instant
  /// When bytes last arrived.
  private var lastReceived: ContinuousClock.Instant
  /// When a PING was sent that is not acknowledged yet.
  private var pingSent: ContinuousClock.Instant?

  init(now: ContinuousClock.Instant) {
    phaseStart = now
    lastProgress = now
    lastReceived = now
  }

  mutating func enter(_ next: Phase, now: ContinuousClock.Instant) {
    phase = next
    phaseStart = now
  }

  mutating func received(now: ContinuousClock.Instant) {
    lastReceived = now
    pingSent = nil
  }

  mutating func progressed(now: ContinuousClock.Instant) {
    lastProgress = now
  }

  // MARK: Time limits

  /// Whether the connection must be closed at once.
  ///
  /// - Parameters:
  ///   - hasSettings: whether the client has sent its first SETTINGS.
  ///   - isHeldUp: whether the client does not read, or does not continue a request.
  ///   - isCrowded: whether other clients wait for handshakes to end.
  func isOverdue(
    hasSettings: Bool, isHeldUp: @autoclosure () -> Bool, _ limits: ServerLimits,
    isCrowded: Bool, now: ContinuousClock.Instant
  ) -> Bool {
    if phase == .serving {
      guard hasSettings else {
        return now - phaseStart > (isCrowded ? limits.crowdedHandshakeTime : limits.handshakeTime)
      }
      if let pingSent, now - pingSent > limits.pingTime { return true }
    }
    return now - lastProgress > limits.stallTime && isHeldUp()
  }

  /// Whether the connection has had no call for so long that it should be closed.
  ///
  /// - Parameter isBusy: whether a call is open or bytes wait to be sent.
  func isIdle(isBusy: Bool, _ limits: ServerLimits, now: ContinuousClock.Instant) -> Bool {
    phase == .serving && !isBusy && now - lastProgress > limits.idleTime
  }

  /// Whether the client does not acknowledge the PING that follows the first GOAWAY.
  func isLateToAcknowledge(_ limits: ServerLimits, now: ContinuousClock.Instant) -> Bool {
    phase == .goAwayAnnounced && now - phaseStart > limits.roundTripTime
  }

  /// Whether a PING is to be sent now, because the client has been silent during a call.
  mutating func shouldPing(
    isBusy: Bool, _ limits: ServerLimits, now: ContinuousClock.Instant
  ) -> Bool {
    guard phase == .serving, isBusy, pingSent == nil, now - lastReceived > limits.silenceTime
    else { return false }
    pingSent = now
    return true
  }
}
