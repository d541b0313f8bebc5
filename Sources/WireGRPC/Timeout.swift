/// The value of `grpc-timeout`: at most eight digits and a unit (gRPC PROTOCOL-HTTP2, Timeout).
package enum Timeout {
  private static let largest: Int128 = 99_999_999
  /// Nanoseconds in each unit, finest first.
  private static let units: [(suffix: String, nanoseconds: Int128)] = [
    ("n", 1), ("u", 1_000), ("m", 1_000_000), ("S", 1_000_000_000), ("M", 60_000_000_000),
    ("H", 3_600_000_000_000),
  ]

  /// The longest that can be said, some 11,000 years.
  package static let longest = Duration.seconds(99_999_999 * 3_600)

  /// The duration, or the nearest that clocks can count with.
  static func bounded(_ duration: Duration) -> Duration { min(max(duration, .zero), longest) }

  /// When a call that began at `start` has to be over; nil for never.
  static func deadline(
    _ timeout: Duration?, from start: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    timeout.map { start + bounded($0) }
  }

  /// The duration in the finest unit that fits, rounded up; more than 99,999,999 hours become
  /// just those. Nil when no time is left.
  package static func encode(_ duration: Duration) -> String? {
    guard duration > .zero else { return nil }
    let attosecondsPerNanosecond: Int128 = 1_000_000_000
    let nanoseconds =
      (duration.attoseconds + attosecondsPerNanosecond - 1)
      / attosecondsPerNanosecond
    for unit in units {
      let count = (nanoseconds + unit.nanoseconds - 1) / unit.nanoseconds
      if count <= largest { return "\(count)\(unit.suffix)" }
    }
    return "\(largest)H"
  }

  /// What a peer's header asks for; nil when it breaks the form.
  package static func decode(_ text: String) -> Duration? {
    guard let suffix = text.last,
      let unit = units.first(where: { $0.suffix == String(suffix) })
    else { return nil }
    let digits = text.dropLast()
    guard (1...8).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let count = Int128(digits)
    else { return nil }
    return Duration(attoseconds: count * unit.nanoseconds * 1_000_000_000)
  }
}

extension Duration {
  var roundedUpToMilliseconds: Duration {
    let millisecond: Int128 = 1_000_000_000_000_000
    return Duration(attoseconds: (attoseconds + millisecond - 1) / millisecond * millisecond)
  }
}
