/// Spans that follow each other. Neighbors with the same state are one span.
struct SpanList {
  private(set) var spans: [TripSpan] = []

  /// Adds a span after the last one, unless it is empty.
  mutating func add(_ state: TripSpan.State, from start: Double, to end: Double) {
    add(TripSpan(start: start, end: end, state: state))
  }

  mutating func add(_ span: TripSpan) {
    guard span.end > span.start else { return }
    if let last = spans.last, let state = last.state.merged(with: span.state) {
      spans[spans.count - 1] = TripSpan(start: last.start, end: span.end, state: state)
    } else {
      spans.append(span)
    }
  }

  /// Returns the spans without those that are shorter, which their neighbors take over. Spans without a
  /// cause (`current`) are taken over whatever their length.
  func absorbed(shorterThan seconds: Double) -> [TripSpan] {
    var spans = spans
    while spans.count > 1 {
      let short = spans.indices.filter {
        spans[$0].state == .current || spans[$0].seconds < seconds
      }
      guard
        let index = short.min(by: { one, other in
          (spans[one].state == .current ? 0 : 1, spans[one].seconds)
            < (spans[other].state == .current ? 0 : 1, spans[other].seconds)
        })
      else { break }
      // The longer neighbor with a cause takes it over.
      let neighbors = [index - 1, index + 1].filter { spans.indices.contains($0) }
      guard
        let neighbor = neighbors.max(by: { one, other in
          (spans[one].state == .current ? 0 : 1, spans[one].seconds)
            < (spans[other].state == .current ? 0 : 1, spans[other].seconds)
        })
      else { break }
      spans[neighbor].start = min(spans[neighbor].start, spans[index].start)
      spans[neighbor].end = max(spans[neighbor].end, spans[index].end)
      spans.remove(at: index)
      var list = SpanList()
      for span in spans { list.add(span) }
      spans = list.spans
    }
    return spans
  }

  /// Returns the spans, with `still` in place of `current` in these ranges.
  func marked(still ranges: [ClosedRange<Double>]) -> [TripSpan] {
    var list = SpanList()
    for span in spans {
      guard span.state == .current else {
        list.add(span)
        continue
      }
      var from = span.start
      for range in ranges where range.upperBound > span.start && range.lowerBound < span.end {
        list.add(.current, from: from, to: max(from, range.lowerBound))
        from = max(from, range.lowerBound)
        list.add(.still, from: from, to: min(span.end, range.upperBound))
        from = min(span.end, range.upperBound)
      }
      list.add(.current, from: from, to: span.end)
    }
    return list.spans
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
