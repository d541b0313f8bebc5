package import WireProtobuf
import WireSystem

/// One moment on the clock that measures durations and on the clock of the day.
package struct StateTime: Sendable {
  package let instant: ContinuousClock.Instant
  package let timestamp: Timestamp

  package init(instant: ContinuousClock.Instant, timestamp: Timestamp) {
    self.instant = instant
    self.timestamp = timestamp
  }

  package static var now: StateTime {
    let (seconds, nanoseconds) = WallTime.exact
    return StateTime(
      instant: .now, timestamp: Timestamp(seconds: seconds, nanos: nanoseconds))
  }

  /// Returns another instant on the clock of the day.
  func timestamp(of other: ContinuousClock.Instant) -> Timestamp {
    let time = WireDuration(timestamp.sinceEpoch - (instant - other))
    // A timestamp before 1970 has negative seconds and positive nanoseconds.
    return time.nanos < 0
      ? Timestamp(seconds: time.seconds - 1, nanos: time.nanos + 1_000_000_000)
      : Timestamp(seconds: time.seconds, nanos: time.nanos)
  }
}

extension Timestamp {
  fileprivate var sinceEpoch: Duration { .seconds(seconds) + .nanoseconds(Int64(nanos)) }

  /// Returns the time since another timestamp of the same clock, from zero to 10,000 years.
  func since(_ other: Timestamp?) -> Duration {
    guard let other else { return .zero }
    return WireDuration(sinceEpoch - other.sinceEpoch).bounded
  }
}

extension WireDuration {
  /// The duration, from zero to 10,000 years.
  var bounded: Duration { min(max(.zero, duration), .seconds(315_576_000_000)) }
}
