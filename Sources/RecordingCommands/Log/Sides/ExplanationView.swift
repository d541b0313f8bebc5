import CommandLine
import CommandShell
import RecordingAnalysis
import Tripwire

/// Shows the spans of a trip, and why the app had no new location in some of them.
final class ExplanationView: LogView {
  private let selected: SelectedResource
  private let limit: StaleLimit?
  private let isJSON: Bool
  private let console: Console
  private let collector: TripEvidenceCollector
  private var clock: ClockOffset?
  private var hasTwoClocks = false
  private var days: DayHeadings
  private let output: LogOutput

  /// - Parameter limit: the condition that makes the command fail.
  init(
    _ types: MessageTypes, of selected: SelectedResource, limit: StaleLimit?, isJSON: Bool,
    _ console: Console
  ) {
    self.selected = selected
    self.limit = limit
    self.isJSON = isJSON
    self.console = console
    collector = TripEvidenceCollector(types, of: selected.resource)
    days = DayHeadings(console.clock())
    output = LogOutput(console)
  }

  func show(_ clock: ClockOffset?) -> Bool {
    self.clock = clock
    hasTwoClocks = true
    return true
  }

  func add(_ entry: LoggedEntry) { collector.add(entry) }

  func end(calls: Int) throws(ErrorReport) {
    guard let evidence = collector.finish().first else {
      throw selected.missing(in: collector.timeline)
    }
    let analysis = TripSpans(evidence)
    if isJSON {
      try writeJSON(analysis, evidence)
    } else {
      try writeText(analysis, evidence)
    }
    try output.flush()
    if let limit, let span = limit.broken(by: analysis.spans) {
      var report = ErrorReport(
        local: "--fail-on \(limit.text): \(StaleCause.words(span.seconds)) from \(time(span.start))"
      )
      report.exitCode = .conditionHeld
      throw report
    }
  }

  // MARK: Text

  private func writeText(_ analysis: TripSpans, _ evidence: TripEvidence) throws(ErrorReport) {
    if let day = days.line(for: Timestamp(secondsSince1970: evidence.start)) {
      try output.write(line: day)
    }
    if hasTwoClocks { try output.write(line: clock?.text ?? ClockOffset.unknown) }
    for span in analysis.spans {
      let start = "\(time(span.start))  \(padded(StaleCause.words(span.seconds), to: 12))"
      try output.write(
        start + padded(span.stateName, to: 11), span.text(evidence, clock: time))
    }
    try output.write(line: Self.totals(of: analysis.spans))
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
    let parts = totals.map { "\(StaleCause.words($0.seconds)) \($0.name)" }
    let all = StaleCause.words(totals.reduce(0) { $0 + $1.seconds })
    return "\(all): \(parts.joined(separator: ", "))"
  }

  private func time(_ seconds: Double) -> String {
    days.time(Timestamp(secondsSince1970: seconds))
  }

  // MARK: JSON

  private func writeJSON(_ analysis: TripSpans, _ evidence: TripEvidence) throws(ErrorReport) {
    if hasTwoClocks { try output.write(json: clock.json + "\n") }
    for span in analysis.spans {
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

extension ClockOffset? {
  /// The line of JSON about the clocks.
  var json: String {
    JSONWriter.object { json in
      json.member("event", "clock")
      json.member("offsetSeconds", json: self?.seconds.jsonSeconds ?? "null")
      json.member("uncertaintySeconds", json: self?.uncertainty.jsonSeconds)
    }
  }
}

extension TripSpan {
  /// What the app showed and why, safe for a terminal.
  ///
  /// - Parameter clock: formats a time.
  func text(_ evidence: TripEvidence, clock: (Double) -> String) -> String {
    switch state {
    case .unwatched: "no calls of the client"
    case .waiting: "the app had no location yet"
    case .current: "the app got new locations"
    case .still: "the app got new locations, all within 30 m: the vehicle stood still"
    case .stale(let cause): cause.text(evidence, clock: clock)
    }
  }
}
