/// The clock of a client in a recording. It may have been set in between.
package struct ClientClock: Equatable {
  /// The entries of the client from one setting of the clock to the next.
  package struct Part: Equatable {
    /// The number of the client's entries before the part.
    package let firstEntry: Int
    /// The time of its first entry by this clock, in seconds since 1970.
    package let start: Double
    package let offset: ClockOffset
  }

  /// A difference from one entry of the client to the next, in seconds.
  package struct Step: Equatable {
    let entry: Int
    /// Of the second entry, in seconds since 1970.
    package let time: Double
    package let seconds: Double
  }

  /// What one call of the client shows.
  struct Observation {
    /// The number of the client's entry with the answer.
    let entry: Int
    /// The time of the entry, in seconds since 1970.
    let time: Double
    let bound: ClockOffset.Bound
  }

  /// Offsets that differ by less are equal, in seconds: some servers lag behind others.
  static let tolerance = 5.0
  /// The number of consecutive calls that show another offset. Fewer may be of a server that lags.
  private static let leastCount = 3

  /// In the order of the recording; empty if the calls do not show the offset.
  package private(set) var parts: [Part] = []
  /// The steps back after which no call shows the offset, in the order of the recording.
  package private(set) var unmeasuredSteps: [Step] = []

  package init() {}

  /// - Parameters:
  ///   - observations: in the order of the recording.
  ///   - steps: those that are longer than the tolerance, in the same order.
  init(_ observations: [Observation], _ steps: [Step]) {
    parts = Self.parts(observations, steps)
    let back = steps.filter { $0.seconds < 0 }
    let ends = back.dropFirst().map(\.entry) + [.max]
    unmeasuredSteps = zip(back, ends).filter { step, end in
      guard !parts.dropFirst().contains(where: { $0.firstEntry == step.entry }) else {
        return false
      }
      // If the offset is still the same, the entries are those of another file.
      let next = observations.first { step.entry..<end ~= $0.entry }
      let offset = parts.last { $0.firstEntry <= step.entry }?.offset
      return !(next.flatMap { next in offset.map { next.bound.agrees(with: $0.bound) } } ?? false)
    }.map(\.0)
  }

  private static func parts(_ observations: [Observation], _ steps: [Step]) -> [Part] {
    func isSetBack(before index: Int) -> Bool {
      guard observations.indices.dropFirst().contains(index) else { return false }
      return steps.contains {
        $0.seconds < 0 && $0.entry > observations[index - 1].entry
          && $0.entry <= observations[index].entry
      }
    }
    var found: [(range: Range<Int>, offset: ClockOffset)] = []
    for range in ranges(observations.map(\.bound), isSetBack: isSetBack)
    where range.count >= leastCount || isSetBack(before: range.lowerBound)
      || isSetBack(before: range.upperBound)
    {
      guard let offset = ClockOffset(observations[range].map(\.bound)),
        found.last.map({ $0.offset.isOther(than: offset) }) ?? true
      else { continue }
      found.append((range, offset))
    }
    guard found.count > 1 else {
      return ClockOffset(observations.map(\.bound)).map {
        [Part(firstEntry: 0, start: 0, offset: $0)]
      } ?? []
    }
    return found.enumerated().map { index, part in
      guard index > 0 else { return Part(firstEntry: 0, start: 0, offset: part.offset) }
      let before = found[index - 1]
      // Calls just before may agree with both offsets.
      let last = observations[..<part.range.lowerBound].last {
        !$0.bound.agrees(with: part.offset.bound)
      }
      let first = observations[part.range.lowerBound]
      let sign = part.offset.seconds < before.offset.seconds ? 1.0 : -1.0
      let step = steps.filter { $0.entry > last?.entry ?? 0 && $0.entry <= first.entry }
        .max { $0.seconds * sign < $1.seconds * sign }
      return Part(
        firstEntry: step?.entry ?? first.entry, start: step?.time ?? first.time,
        offset: part.offset)
    }
  }

  /// Whether it was set during the recording.
  package var isSet: Bool { parts.count > 1 || !unmeasuredSteps.isEmpty }

  /// The number of seconds to add to the time of an entry of the client. After an unmeasured step, the times continue
  /// those before it.
  package func correction(ofEntry number: Int) -> Double {
    let offset = (parts.last { $0.firstEntry <= number } ?? parts.first)?.offset.correction ?? 0
    return unmeasuredSteps.reduce(offset) { $1.entry <= number ? $0 - $1.seconds : $0 }
  }

  /// Divides bounds where several in a row contradict those before, and agree with each other; or one, where a step back
  /// proves that the clock was set.
  private static func ranges(
    _ bounds: [ClockOffset.Bound], isSetBack: (Int) -> Bool
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var first = 0
    var current = ClockOffset.Bound()
    var other: (first: Int, count: Int, bound: ClockOffset.Bound)?
    for (index, bound) in bounds.enumerated() {
      if current.agrees(with: bound) {
        current.narrow(to: bound)
        // A bound without a limit on one side may agree with both.
        if other?.bound.agrees(with: bound) == true {
          other?.bound.narrow(to: bound)
        } else {
          other = nil
        }
        continue
      }
      if other?.bound.agrees(with: bound) == true {
        other?.bound.narrow(to: bound)
        other?.count += 1
      } else {
        other = (index, 1, bound)
      }
      if let next = other, next.count == leastCount || isSetBack(next.first) {
        ranges.append(first..<next.first)
        (first, current, other) = (next.first, next.bound, nil)
      }
    }
    return ranges + [first..<bounds.count]
  }
}

extension ClockOffset {
  fileprivate var bound: Bound { Bound(least: seconds - uncertainty, most: seconds + uncertainty) }

  fileprivate func isOther(than other: ClockOffset) -> Bool { !bound.agrees(with: other.bound) }
}

extension ClockOffset.Bound {
  /// Whether an offset may be in both, except for the tolerance.
  fileprivate func agrees(with other: Self) -> Bool {
    max(least ?? -.infinity, other.least ?? -.infinity)
      <= min(most ?? .infinity, other.most ?? .infinity) + ClientClock.tolerance
  }

  fileprivate mutating func narrow(to other: Self) {
    least = [least, other.least].compactMap(\.self).max()
    most = [most, other.most].compactMap(\.self).min()
  }
}
