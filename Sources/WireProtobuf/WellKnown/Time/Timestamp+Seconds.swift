extension Timestamp {
  /// The nearest nanosecond to a time in seconds since 1970-01-01T00:00:00Z, without leap seconds;
  /// times before are negative. Nil for what is no number and outside the years 1 to 9999, the
  /// range of google/protobuf/timestamp.proto.
  ///
  /// A `Double` of our days is exact to about a quarter of a microsecond.
  public init?(secondsSince1970: Double) {
    // By integers: `rounded` would have every user link the C library's mathematics.
    guard secondsSince1970.magnitude < 1e12 else { return nil }
    var seconds = Int64(secondsSince1970)
    if Double(seconds) > secondsSince1970 { seconds -= 1 }
    var nanos = Int32((secondsSince1970 - Double(seconds)) * 1e9 + 0.5)
    if nanos == 1_000_000_000 { (seconds, nanos) = (seconds + 1, 0) }
    guard Self.validSeconds.contains(seconds) else { return nil }
    self.init(seconds: seconds, nanos: nanos)
  }

  /// Seconds since 1970-01-01T00:00:00Z, negative for times before, as far as a `Double` goes: in
  /// our days about a quarter of a microsecond off at most.
  public var secondsSince1970: Double {
    // Shortly before 1970 the sum would lose digits: -1 + 0.9 is not -0.1.
    seconds < 0 && nanos > 0
      ? Double(seconds + 1) + Double(nanos - 1_000_000_000) / 1e9
      : Double(seconds) + Double(nanos) / 1e9
  }
}

extension Timestamp: Comparable {
  /// By time; where two of one time are not equal, as one has nanos outside a second, the one of
  /// fewer seconds is first.
  public static func < (a: Self, b: Self) -> Bool {
    let (timeOfA, timeOfB) = (a.nanosSince1970, b.nanosSince1970)
    return timeOfA == timeOfB ? a.seconds < b.seconds : timeOfA < timeOfB
  }

  private var nanosSince1970: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanos) }
}
