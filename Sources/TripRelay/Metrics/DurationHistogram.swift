/// Counts durations by their length. Allocates nothing.
struct DurationHistogram: Sendable {
  /// The upper ends of the buckets, in microseconds.
  private static let bounds: [Int64] = [
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000, 10_000_000,
  ]

  /// The last one is for longer durations.
  private var counts = InlineArray<14, Int>(repeating: 0)
  private(set) var sum = Duration.zero

  mutating func add(_ duration: Duration) {
    let time = duration.components
    let microseconds =
      time.seconds > 10 ? .max : time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
    var index = 0
    while index < Self.bounds.count, microseconds > Self.bounds[index] { index += 1 }
    counts[index] += 1
    sum += duration
  }

  var count: Int { counts.indices.reduce(0) { $0 + counts[$1] } }

  /// The number of durations up to each bound, which is in seconds.
  var buckets: [(bound: Double, count: Int)] {
    var total = 0
    return Self.bounds.enumerated().map { index, bound -> (bound: Double, count: Int) in
      total += counts[index]
      return (Double(bound) / 1_000_000, total)
    }
  }
}
