/// An instant as a whole number of nanoseconds.
///
/// The standard library's instant is opaque, and the runtime copies each struct that has one with many calls
/// (docs/decisions/fleet/polls-without-tasks.md).
struct StoredInstant: Hashable, Comparable, Sendable {
  private static let origin = ContinuousClock.now

  /// Since `origin`, rounded down.
  private let nanoseconds: Int64

  private init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  init(_ instant: ContinuousClock.Instant) {
    nanoseconds = Self.nanoseconds(in: Self.origin.duration(to: instant))
  }

  var instant: ContinuousClock.Instant { Self.origin + .nanoseconds(nanoseconds) }

  static func + (instant: StoredInstant, duration: Duration) -> StoredInstant {
    StoredInstant(nanoseconds: instant.nanoseconds + nanoseconds(in: duration))
  }

  static func < (one: StoredInstant, other: StoredInstant) -> Bool {
    one.nanoseconds < other.nanoseconds
  }

  private static func nanoseconds(in duration: Duration) -> Int64 {
    // A nanosecond is 2^9 x 5^9 attoseconds. Without the factor 2^9 a century fits into 83 bits.
    let (count, rest) = (duration.attoseconds >> 9).quotientAndRemainder(dividingBy: 1_953_125)
    return Int64(clamping: rest < 0 ? count - 1 : count)
  }
}
