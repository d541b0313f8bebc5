/// The difference between the clocks of the server and the client.
package struct ClockOffset: Equatable, Sendable {
  /// The server's time minus that of the client, in seconds; negative if the client's clock is ahead.
  package let seconds: Double
  /// The largest error of ``seconds``.
  package let uncertainty: Double

  /// The range of offsets that agree with one call, in seconds. Nil means that a side has no limit.
  struct Bound {
    var least: Double?
    var most: Double?
  }

  /// Whether the clocks may be equal.
  package var isWithinUncertainty: Bool { seconds.magnitude <= uncertainty }

  /// The number of seconds to add to times of the client; 0 if the clocks may be equal.
  package var correction: Double { isWithinUncertainty ? 0 : seconds }

  init(seconds: Double, uncertainty: Double) {
    (self.seconds, self.uncertainty) = (seconds, uncertainty)
  }

  /// Finds the range with which most bounds agree. Others are ignored: servers that lag behind others and
  /// calls of other clients have wrong ones. Nil if the range has no limit on one side.
  init?(_ bounds: [Bound]) {
    let starts = bounds.compactMap(\.least).sorted()
    let ends = bounds.compactMap(\.most).sorted()
    // The number of bounds that contain a value; values below all limits first.
    var count = bounds.count { $0.least == nil }
    var best: (count: Int, range: ClosedRange<Double>)?
    var end = 0
    for (index, start) in starts.enumerated() {
      while end < ends.count, ends[end] < start {
        end += 1
        count -= 1
      }
      count += 1
      // Another start before the next end leads to a better range.
      if index + 1 < starts.count, end == ends.count || starts[index + 1] <= ends[end] { continue }
      guard end < ends.count else { break }
      if count > best?.count ?? 0 { best = (count, start...ends[end]) }
    }
    guard let range = best?.range else { return nil }
    seconds = (range.lowerBound + range.upperBound) / 2
    uncertainty = (range.upperBound - range.lowerBound) / 2
  }
}
