/// Encodes and decodes `grpc-timeout`: up to eight digits and a unit (gRPC PROTOCOL-HTTP2).
package enum Timeout {
  private static let largest: Int64 = 99_999_999
  /// Finest first. One of `perSecond` (units per second) and `seconds` (seconds per unit) is 1.
  private static let units: [(suffix: String, perSecond: Int64, seconds: Int64)] = [
    ("n", 1_000_000_000, 1), ("u", 1_000_000, 1), ("m", 1_000, 1),
    ("S", 1, 1), ("M", 1, 60), ("H", 1, 3_600),
  ]

  /// The longest timeout that can be encoded, about 11,000 years.
  package static let longest = Duration.seconds(99_999_999 * 3_600)

  /// Returns the duration in 0...`longest`, so that adding it to an instant cannot overflow.
  package static func bounded(_ duration: Duration) -> Duration {
    min(max(duration, .zero), longest)
  }

  /// Returns the deadline of a call that started at `start`; nil for none.
  package static func deadline(
    _ timeout: Duration?, from start: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    timeout.map { start + bounded($0) }
  }

  /// Encodes the duration in the finest unit that fits, rounded up and limited to 99,999,999 hours.
  /// Returns nil if the duration is not positive.
  static func encode(_ duration: Duration) -> String? {
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

  /// Returns the duration in whole milliseconds, rounded up, if milliseconds are the unit to encode
  /// it in: above one second and up to one day.
  static func milliseconds(_ duration: Duration) -> Int64? {
    // A millisecond is 2^15 x 5^15 attoseconds. Without the factor 2^15 the value fits into 64
    // bits, which divide much faster than 128.
    let rest = Int64(clamping: (duration.attoseconds + 0x7fff) >> 15)
    let count = rest / 30_517_578_125 + (rest % 30_517_578_125 > 0 ? 1 : 0)
    return (1_001...86_400_000).contains(count) ? count : nil
  }

  /// Decodes a peer's header. Returns nil if it is invalid.
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
