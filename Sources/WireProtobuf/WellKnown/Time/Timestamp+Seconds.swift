extension Timestamp {
  /// Creates the timestamp of a time in seconds since 1970-01-01T00:00:00Z, without leap seconds,
  /// rounded to the nearest nanosecond. Earlier times are negative.
  ///
  /// Nil for NaN and for times outside the years 1 to 9999, the range of
  /// google/protobuf/timestamp.proto. A present-day `Double` is exact to about 0.25 µs.
  public init?(secondsSince1970: Double) {
    // Integer arithmetic, because `rounded` would link the C math library into every program.
    guard secondsSince1970.magnitude < 1e12 else { return nil }
    var seconds = Int64(secondsSince1970)
    if Double(seconds) > secondsSince1970 { seconds -= 1 }
    var nanos = Int32((secondsSince1970 - Double(seconds)) * 1e9 + 0.5)
    if nanos == 1_000_000_000 { (seconds, nanos) = (seconds + 1, 0) }
    guard Self.validSeconds.contains(seconds) else { return nil }
    self.init(seconds: seconds, nanos: nanos)
  }

  /// The time in seconds since 1970-01-01T00:00:00Z, negative for earlier times. A present-day
  /// `Double` is exact to about 0.25 µs.
  public var secondsSince1970: Double {
    // Just before 1970 the plain sum would lose digits: -1 + 0.9 is not exactly -0.1.
    seconds < 0 && nanos > 0
      ? Double(seconds + 1) + Double(nanos - 1_000_000_000) / 1e9
      : Double(seconds) + Double(nanos) / 1e9
  }
}

extension Timestamp: Comparable {
  /// Orders by time. Of two unequal values for the same time (nanos outside one second), the one
  /// with fewer seconds comes first.
  public static func < (a: Self, b: Self) -> Bool {
    let (timeOfA, timeOfB) = (a.nanosSince1970, b.nanosSince1970)
    return timeOfA == timeOfB ? a.seconds < b.seconds : timeOfA < timeOfB
  }

  private var nanosSince1970: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanos) }
}
