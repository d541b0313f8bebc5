import WireProtobuf

/// Times and durations of requests may have any value. Results are within the years 1 to 9999, which are those that a
/// timestamp may have (google/protobuf/timestamp.proto).
extension Timestamp {
  private static let first = Duration.seconds(validSeconds.lowerBound)
  private static let last = Duration.seconds(validSeconds.upperBound)

  private var sinceEpoch: Duration {
    min(max(.seconds(seconds) + .nanoseconds(Int64(nanos)), Self.first), Self.last)
  }

  static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) =
      min(max(time.sinceEpoch + duration, first), last).components
    let nanos = Int32(attoseconds / 1_000_000_000)
    return nanos < 0
      ? Timestamp(seconds: seconds - 1, nanos: nanos + 1_000_000_000)
      : Timestamp(seconds: seconds, nanos: nanos)
  }

  /// The time since another one.
  static func - (end: Timestamp, start: Timestamp) -> Duration {
    end.sinceEpoch - start.sinceEpoch
  }

  /// This time, or a microsecond after another one, so that a version is later than the last.
  func after(_ last: Timestamp?) -> Timestamp {
    guard let last, last >= self else { return self }
    return last + .microseconds(1)
  }
}
