/// A condition on the spans of a trip, such as "stale>30s".
package struct StaleLimit: Sendable {
  package let text: String
  /// "stale", or the name of a cause.
  let name: String
  let seconds: Double

  package init(text: String, name: String, seconds: Double) {
    (self.text, self.name, self.seconds) = (text, name, seconds)
  }

  /// Returns the longest of the spans for which the condition holds. Consecutive stale spans
  /// count as one for "stale".
  package func broken(by spans: [TripSpan]) -> TripSpan? {
    var runs: [TripSpan] = []
    for span in spans {
      guard let cause = span.cause, name == "stale" || cause.name == name else { continue }
      if name == "stale", let last = runs.last, last.end == span.start {
        runs[runs.count - 1].end = span.end
      } else {
        runs.append(span)
      }
    }
    return runs.filter { $0.seconds > seconds }.max { $0.seconds < $1.seconds }
  }
}
