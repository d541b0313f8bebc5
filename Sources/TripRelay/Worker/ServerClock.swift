import RelayAPI
import WireProtobuf

/// Estimates the clock of NATS, which may differ from that of this machine.
struct ServerClock: Sendable {
  /// The server's time of day minus this machine's, in seconds.
  private(set) var offset = 0.0

  /// Learns from a message that was sent and stored between two times of this machine.
  mutating func learn(stored: Double, sent: Double, acknowledged: Double) {
    let least = stored - acknowledged
    let most = stored - sent
    offset = least <= 0 && most >= 0 ? 0 : (least + most) / 2
  }

  /// The server's time of day, in seconds since 1970.
  func seconds(at time: StateTime) -> Double { time.timestamp.secondsSince1970 + offset }

  /// Converts a time of the server.
  func instant(of time: Double, at now: StateTime) -> ContinuousClock.Instant {
    now.instant + .seconds(min(max(time - seconds(at: now), -1e9), 1e9))
  }
}
