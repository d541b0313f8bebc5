extension WireDuration {
  /// Creates the duration nearest to a Swift `Duration` in nanoseconds; halves round away from
  /// zero.
  ///
  /// Durations beyond 10,000 years, the limit of google/protobuf/duration.proto, are clamped to it.
  public init(_ duration: Duration) {
    let limit = Int128(Self.validSeconds.upperBound) * 1_000_000_000
    let (whole, rest) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let rounded = whole + (rest.magnitude >= 500_000_000 ? rest.signum() : 0)
    let (seconds, nanos) = min(max(rounded, -limit), limit)
      .quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(seconds: Int64(seconds), nanos: Int32(nanos))
  }

  /// The exact Swift `Duration`, even if `nanos` is a second or more or differs in sign from
  /// `seconds`.
  public var duration: Duration { .seconds(seconds) + .nanoseconds(Int64(nanos)) }
}

extension WireDuration: Comparable {
  /// Orders by length. Of two unequal values of the same length (nanos outside one second), the one
  /// with fewer seconds comes first.
  public static func < (a: Self, b: Self) -> Bool {
    a.duration == b.duration ? a.seconds < b.seconds : a.duration < b.duration
  }
}
