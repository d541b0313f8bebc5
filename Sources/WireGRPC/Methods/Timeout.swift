/// The value of `grpc-timeout`: at most eight digits and a unit (gRPC PROTOCOL-HTTP2, Timeout).
package enum Timeout {
  private static let largest: Int64 = 99_999_999
  /// Finest first: how many of them a second has, or how many seconds they have.
  private static let units: [(suffix: String, perSecond: Int64, seconds: Int64)] = [
    ("n", 1_000_000_000, 1), ("u", 1_000_000, 1), ("m", 1_000, 1),
    ("S", 1, 1), ("M", 1, 60), ("H", 1, 3_600),
  ]

  /// The longest that can be said, some 11,000 years.
  package static let longest = Duration.seconds(99_999_999 * 3_600)

  /// The duration, or the nearest that clocks can count with.
  package static func bounded(_ duration: Duration) -> Duration {
    min(max(duration, .zero), longest)
  }

  /// When a call that began at `start` has to be over; nil for never.
  package static func deadline(
    _ timeout: Duration?, from start: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    timeout.map { start + bounded($0) }
  }

  /// The duration in the finest unit that fits, rounded up; more than 99,999,999 hours become
  /// just those. Nil when no time is left.
  package static func encode(_ duration: Duration) -> String? {
    guard duration > .zero else { return nil }
    let (seconds, attoseconds) = min(duration, longest).components
    for unit in units {
      guard seconds <= largest / unit.perSecond * unit.seconds else { continue }
      let attosecondsPerUnit = 1_000_000_000_000_000_000 / unit.perSecond
      let parts = (attoseconds + attosecondsPerUnit - 1) / attosecondsPerUnit
      let count = (seconds * unit.perSecond + parts + unit.seconds - 1) / unit.seconds
      if count <= largest { return "\(count)\(unit.suffix)" }
    }
    return "\(largest)H"
  }

  /// The duration in whole milliseconds, rounded up, if that is the unit to say it in: from a second
  /// up to a day.
  static func milliseconds(_ duration: Duration) -> Int64? {
    // A millisecond is 2^15 x 5^15 attoseconds. Without the first factor it all fits into 64 bits, which
    // are divided many times faster than 128.
    let rest = Int64(clamping: (duration.attoseconds + 0x7fff) >> 15)
    let count = rest / 30_517_578_125 + (rest % 30_517_578_125 > 0 ? 1 : 0)
    return (1_001...86_400_000).contains(count) ? count : nil
  }

  /// What a peer's header asks for; nil when it breaks the form.
  package static func decode(_ text: String) -> Duration? {
    guard let suffix = text.last,
      let unit = units.first(where: { $0.suffix == String(suffix) })
    else { return nil }
    let digits = text.dropLast()
    guard (1...8).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let count = Int64(digits)
    else { return nil }
    return .seconds(count * unit.seconds) / Int(unit.perSecond)
  }
}
