import WireSystem

/// The calls that ended with an error in a span.
extension TripEvidence {
  /// Those of the client; nil if there are none.
  package func failedPolls(in span: TripSpan) -> StaleCause.Failures? {
    Self.failures(polls(in: span).map { ($0.start, $0.end, $0.outcome) })
  }

  /// The updates of the driver's app that have a location; nil if there are none.
  package func failedUpdates(in span: TripSpan) -> StaleCause.Failures? {
    let updates = updates.part(from: span.start, to: span.end) { $0.time }
    return Self.failures(updates.map { ($0.time, $0.end, $0.outcome) })
  }

  /// Whether no update of the driver's app arrived while the calls of the client failed.
  package func lacksUpdates(in span: TripSpan) -> Bool {
    let failed = polls(in: span).filter(\.outcome.isFailure)
    guard let start = failed.first?.start, let end = failed.last?.end,
      end - start > 3 * usualInterval(updates.map(\.time))
    else { return false }
    return !updates.isEmpty && updates.part(from: start, to: end) { $0.time }.isEmpty
      && emptyUpdates.part(from: start, to: end) { $0 }.isEmpty
  }

  private func polls(in span: TripSpan) -> ArraySlice<Poll> {
    clientCalls.part(from: span.start, to: span.end) { $0.start }
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

extension Array {
  /// Returns the elements from a time up to another one.
  ///
  /// - Parameter time: in the order of which the elements are.
  func part(from start: Double, to end: Double, by time: (Element) -> Double) -> ArraySlice<Element>
  {
    self[partitioningIndex { time($0) >= start }...].prefix { time($0) < end }
  }
}
