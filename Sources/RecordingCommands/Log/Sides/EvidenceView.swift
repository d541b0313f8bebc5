import CommandShell
import RecordingAnalysis
import Tripwire

/// Collects what both sides recorded about a resource, and shows it at the end.
class EvidenceView: LogView {
  /// The clock of the client, if there is a log of the server besides the recording.
  final var clock: ClientClock?
  final let isJSON: Bool
  final let console: Console
  final let output: LogOutput
  private let selected: SelectedResource
  private let collector: TripEvidenceCollector
  private var days: DayHeadings

  init(_ types: MessageTypes, of selected: SelectedResource, isJSON: Bool, _ console: Console) {
    self.selected = selected
    self.isJSON = isJSON
    self.console = console
    collector = TripEvidenceCollector(types, of: selected.resource)
    days = DayHeadings(console.clock())
    output = LogOutput(console)
  }

  final func add(_ entry: LoggedEntry) { collector.add(entry) }

  final func end(calls: Int) throws(ErrorReport) {
    try selected.checkIsOne(in: collector.timeline)
    guard let evidence = collector.finish().first(where: { _ in true }) else {
      throw selected.missing(in: collector.timeline)
    }
    if evidence.isOfSeveralClients {
      console.warn(
        "the \(evidence.kind.noun) has calls of several clients at the same time, which count as one app;"
          + " pass the recording of one")
    }
    try show(evidence)
    try output.flush()
  }

  /// Writes the evidence to the output.
  func show(_ evidence: TripEvidence) throws(ErrorReport) {}

  final func writeDay(of evidence: TripEvidence) throws(ErrorReport) {
    if let day = days.line(for: Timestamp(secondsSince1970: evidence.start)) {
      try output.write(line: day)
    }
  }

  /// "09:30:00.000"
  final func time(_ seconds: Double) -> String {
    days.time(Timestamp(secondsSince1970: seconds))
  }
}
