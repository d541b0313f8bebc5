extension WireDuration {
  /// The nearest nanosecond to a duration of Swift, halves away from zero.
  ///
  /// What is longer than 10,000 years, the most that google/protobuf/duration.proto allows, becomes
  /// 10,000 years.
  public init(_ duration: Duration) {
    let limit = Int128(Self.validSeconds.upperBound) * 1_000_000_000
    let (whole, rest) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let rounded = whole + (rest.magnitude >= 500_000_000 ? rest.signum() : 0)
    let (seconds, nanos) = min(max(rounded, -limit), limit)
      .quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(seconds: Int64(seconds), nanos: Int32(nanos))
  }

  /// The same in Swift, exactly, also when nanos are a second or more or of another sign than the
  /// seconds.
  public var duration: Duration { .seconds(seconds) + .nanoseconds(Int64(nanos)) }
}

extension WireDuration: Comparable {
  /// By length; where two of one length are not equal, as one has more than a second of nanos, the
  /// one of fewer seconds is first.
  public static func < (a: Self, b: Self) -> Bool {
    a.duration == b.duration ? a.seconds < b.seconds : a.duration < b.duration
  }
}
