import WireSystem

/// The calls that ended with an error in a span.
extension TripEvidence {
  /// Those of the client; nil if there are none.
  package func failedPolls(in span: TripSpan) -> StaleCause.Failures? {
    Self.failures(polls(in: span).map { ($0.start, $0.end, $0.outcome) })
  }

  /// The updates of the driver's app that have a location; nil if there are none.
  package func failedUpdates(in span: TripSpan) -> StaleCause.Failures? {
    let updates = Self.part(of: updates, \.time, span.start, span.end)
    return Self.failures(updates.map { ($0.time, $0.end, $0.outcome) })
  }

  /// Whether no update of the driver's app arrived while the calls of the client failed.
  package func lacksUpdates(in span: TripSpan) -> Bool {
    let failed = polls(in: span).filter(\.outcome.isFailure)
    guard let start = failed.first?.start, let end = failed.last?.end,
      end - start > 3 * usualInterval(updates.map(\.time))
    else { return false }
    return !updates.isEmpty && Self.part(of: updates, \.time, start, end).isEmpty
      && Self.part(of: emptyUpdates, \.self, start, end).isEmpty
  }

  private func polls(in span: TripSpan) -> ArraySlice<Poll> {
    Self.part(of: clientCalls, \.start, span.start, span.end)
  }

  /// - Parameter time: in the order of which the elements are.
  private static func part<Element>(
    of all: [Element], _ time: (Element) -> Double, _ start: Double, _ end: Double
  ) -> ArraySlice<Element> {
    all[all.partitioningIndex { time($0) >= start }...].prefix { time($0) < end }
  }

  private static func failures(
    _ calls: [(start: Double, end: Double, outcome: Outcome)]
  ) -> StaleCause.Failures? {
    guard let first = calls.first(where: \.outcome.isFailure) else { return nil }
    let waits = zip(calls, calls.dropFirst()).map { $0.outcome.isFailure ? $1.start - $0.end : 0 }
    return StaleCause.Failures(
      count: calls.count(where: \.outcome.isFailure), first: first.outcome,
      longestWait: waits.max() ?? 0)
  }
}
