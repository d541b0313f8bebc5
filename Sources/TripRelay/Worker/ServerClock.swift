import WireSystem

/// Estimates the clock of NATS, which may differ from that of this machine.
struct ServerClock: Sendable {
  /// The server's time of day minus this machine's, in seconds.
  private(set) var offset: Double

  init(offset: ServerOffset? = nil) {
    self.offset = offset?.seconds ?? 0
  }

  /// Learns from a message that was sent and stored between two instants.
  mutating func learn(stored: Double, sent: Double, acknowledged: Double) {
    let least = stored - acknowledged
    let most = stored - sent
    offset = least <= 0 && most >= 0 ? 0 : (least + most) / 2
  }

  /// The server's time of day, in seconds since 1970.
  var now: Double { WallTime.now + offset }

  /// Converts a time of the server.
  func instant(of time: Double, at instant: ContinuousClock.Instant = .now)
    -> ContinuousClock.Instant
  {
    let distance = min(max(time - now, -1e9), 1e9)
    return instant + .seconds(distance)
  }
}
