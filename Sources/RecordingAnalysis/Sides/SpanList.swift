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

  /// Returns the spans without those that are shorter, which their neighbors take over. Spans without a
  /// cause (`current`) are taken over whatever their length.
  func absorbed(shorterThan seconds: Double) -> [TripSpan] {
    var spans = spans
    // Spans without a cause come first, then the shortest.
    func order(_ index: Int) -> (Int, Double) {
      (spans[index].state == .current ? 0 : 1, spans[index].seconds)
    }
    func isBefore(_ one: Int, _ other: Int) -> Bool { order(one) < order(other) }
    while spans.count > 1 {
      let short = spans.indices.filter {
        spans[$0].state == .current || spans[$0].seconds < seconds
      }
      // The longer neighbor with a cause takes it over.
      guard let index = short.min(by: isBefore),
        let neighbor = [index - 1, index + 1].filter(spans.indices.contains).max(by: isBefore)
      else { break }
      spans[neighbor].start = min(spans[neighbor].start, spans[index].start)
      spans[neighbor].end = max(spans[neighbor].end, spans[index].end)
      spans.remove(at: index)
      // The spans before and after it are neighbors now.
      if index > 0, index < spans.count, let merged = spans[index - 1].merged(with: spans[index]) {
        spans[index - 1] = merged
        spans.remove(at: index)
      }
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
