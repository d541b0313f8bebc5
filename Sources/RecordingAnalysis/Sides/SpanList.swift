/// Spans that follow each other. Neighbors with the same state are one span.
struct SpanList {
  private(set) var spans: [TripSpan] = []

  /// Adds a span after the last one, unless it is empty.
  mutating func add(_ state: TripSpan.State, from start: Double, to end: Double) {
    add(TripSpan(start: start, end: end, state: state))
  }

  mutating func add(_ span: TripSpan) {
    guard span.end > span.start else { return }
    if let merged = spans.last?.merged(with: span) {
      spans[spans.count - 1] = merged
    } else {
      spans.append(span)
    }
  }

  /// Returns the parts of the spans after a time.
  func from(_ start: Double) -> SpanList {
    var list = SpanList()
    for span in spans { list.add(span.state, from: max(start, span.start), to: span.end) }
    return list
  }

  /// Returns the spans without those that are shorter, which their neighbors take over. Spans without a
  /// cause (`current`) are taken over whatever their length.
  func absorbed(shorterThan seconds: Double) -> [TripSpan] {
    var list = absorbed { $0.state == .current }
    // The shortest come first, in steps, because spans that absorb others become longer.
    for part in [0.125, 0.25, 0.5, 1] { list = list.absorbed { $0.seconds < seconds * part } }
    return list.spans
  }

  /// Returns the spans without some, which the longer neighbor takes over.
  private func absorbed(where isAbsorbed: (TripSpan) -> Bool) -> SpanList {
    var list = SpanList()
    var rest = spans[...]
    while let span = rest.popFirst() {
      let (last, next) = (list.spans.last?.seconds ?? 0, rest.first?.seconds ?? 0)
      if !isAbsorbed(span) || max(last, next) == 0 {
        list.add(span)
      } else if next > last {
        rest[rest.startIndex].start = span.start
      } else {
        list.spans[list.spans.count - 1].end = span.end
      }
    }
    return list
  }

  /// Returns the spans, with `still` in place of `current` in these ranges.
  ///
  /// - Parameter ranges: in order, and without overlaps.
  func marked(still ranges: [ClosedRange<Double>]) -> [TripSpan] {
    var list = SpanList()
    var ranges = ranges[...]
    for span in spans {
      var from = span.start
      while let range = ranges.first, range.lowerBound < span.end {
        if span.state == .current {
          let (start, end) = (max(from, range.lowerBound), min(span.end, range.upperBound))
          list.add(.current, from: from, to: start)
          list.add(.still, from: start, to: end)
          from = max(start, end)
        }
        // The range may go on in the next span.
        guard range.upperBound <= span.end else { break }
        ranges.removeFirst()
      }
      list.add(span.state, from: from, to: span.end)
    }
    return list.spans
  }
}

extension TripSpan {
  /// The span of two that follow each other; nil if they have different states.
  fileprivate func merged(with next: TripSpan) -> TripSpan? {
    state.merged(with: next.state).map { TripSpan(start: start, end: next.end, state: $0) }
  }
}

extension TripSpan.State {
  /// The state of two spans that follow each other; nil if they are different.
  fileprivate func merged(with other: Self) -> Self? {
    if case .stale(let one) = self, case .stale(let two) = other {
      return one.merged(with: two).map { .stale($0) }
    }
    return self == other ? self : nil
  }
}
