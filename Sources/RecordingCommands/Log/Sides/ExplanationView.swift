import CommandLine
import CommandShell
import RecordingAnalysis
import Tripwire

/// Shows the spans of a trip, and why the app had no new location in some of them.
final class ExplanationView: EvidenceView {
  private let limit: StaleLimit?

  /// - Parameter limit: the condition that makes the command fail.
  init(
    _ types: MessageTypes, of selected: SelectedResource, limit: StaleLimit?, isJSON: Bool,
    _ console: Console
  ) {
    self.limit = limit
    super.init(types, of: selected, isJSON: isJSON, console)
  }

  override func show(_ evidence: TripEvidence) throws(ErrorReport) {
    let spans = TripSpans(evidence).spans
    if isJSON { try writeJSON(spans, evidence) } else { try writeText(spans, evidence) }
    try output.flush()
    if let limit, let span = limit.broken(by: spans) {
      var report = ErrorReport(
        local: "--fail-on \(limit.text): \(Units.latency(seconds: span.seconds))"
          + " from \(time(span.start))")
      report.exitCode = .conditionHeld
      throw report
    }
  }

  // MARK: Text

  private func writeText(_ spans: [TripSpan], _ evidence: TripEvidence) throws(ErrorReport) {
    try writeDay(of: evidence)
    for line in clock?.lines(console) ?? [] { try output.write(line: line) }
    for span in spans {
      let duration = padded(Units.latency(seconds: span.seconds) + " ", to: 12)
      let start = "\(time(span.start))  \(duration)"
      try output.write(
        start + padded(span.stateName, to: 11), span.text(evidence, clock: time))
    }
    try output.write(line: Self.totals(of: spans))
  }

  /// "3 min 20 s: 2 min 30 s current, 50.0 s stale".
  private static func totals(of spans: [TripSpan]) -> String {
    var totals: [(name: String, seconds: Double)] = []
    for span in spans {
      if let index = totals.firstIndex(where: { $0.name == span.stateName }) {
        totals[index].seconds += span.seconds
      } else {
        totals.append((span.stateName, span.seconds))
      }
    }
    let parts = totals.map { "\(Units.latency(seconds: $0.seconds)) \($0.name)" }
    let all = Units.latency(seconds: totals.reduce(0) { $0 + $1.seconds })
    return "\(all): \(parts.joined(separator: ", "))"
  }

  // MARK: JSON

  private func writeJSON(_ spans: [TripSpan], _ evidence: TripEvidence) throws(ErrorReport) {
    for line in clock?.json ?? [] { try output.write(json: line + "\n") }
    for span in spans {
      let json = JSONWriter.object { json in
        json.member("event", "span")
        json.member("name", evidence.name)
        json.member("start", json: Timestamp(secondsSince1970: span.start)?.jsonText)
        json.member("end", json: Timestamp(secondsSince1970: span.end)?.jsonText)
        json.member("seconds", json: span.seconds.jsonSeconds)
        json.member("state", span.stateName)
        json.member("side", span.cause?.side.rawValue)
        json.member("cause", span.cause?.name)
        json.member("text", span.text(evidence, clock: time))
      }
      try output.write(json: json + "\n")
    }
  }
}

extension Double {
  /// With milliseconds.
  var jsonSeconds: String { Duration.seconds(self).jsonSeconds }
}

extension ClientClock {
  /// The lines of JSON about the clock, one for each part.
  fileprivate var json: [String] {
    func line(_ part: Part?) -> String {
      JSONWriter.object { json in
        json.member("event", "clock")
        json.member("offsetSeconds", json: part?.offset.seconds.jsonSeconds ?? "null")
        json.member("uncertaintySeconds", json: part?.offset.uncertainty.jsonSeconds)
        guard let part, part != parts.first else { return }
        let start = part.start + part.offset.correction
        json.member("start", json: Timestamp(secondsSince1970: start)?.jsonText)
      }
    }
    return parts.isEmpty ? [line(nil)] : parts.map(line)
  }
}

extension TripSpan {
  /// What the app showed and why, safe for a terminal.
  ///
  /// - Parameter clock: formats a time.
  func text(_ evidence: TripEvidence, clock: (Double) -> String) -> String {
    switch state {
    case .unwatched:
      evidence.hasClient
        ? "no calls of the client"
        : "no call of the client arrived; pass its recording to see why"
    case .waiting: "the app had no location yet"
    case .current: "the app got new locations"
    case .still: "the app got new locations, all within 30 m: the vehicle stood still"
    case .stale(let cause):
      cause.text(evidence, clock: clock) + cause.textOfOthers(evidence, in: self)
    }
  }
}
