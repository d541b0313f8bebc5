import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire

/// The calls in entries of Cloud Logging, which come from a file or were fetched.
struct ServerLog: Sendable {
  /// The path of the file, or the Cloud project.
  let name: String
  /// The place where the compressed data of the file is damaged, and how.
  var damage: String?
  let log: CloudLog
  let console: Console

  /// Passes the entries of every call to `view`.
  func show(to view: any LogView) throws(ErrorReport) {
    var calls = CallNumbers()
    for entry in entries() { try view.add(LoggedEntry(entry, of: calls.call(of: entry))) }
    try view.end(calls: calls.count)
  }

  /// Returns the entries of every call in the order of their times, and warns about what is left out.
  func entries() -> AnySequence<BinlogGrpcLogEntry> {
    if let damage { console.warn("\(name): \(damage): the rest is skipped") }
    if let damage = log.damage { console.warn(damage.text(of: name)) }
    if log.hasNextPage {
      console.warn("\(name): the file lacks the next page of the result: it has a nextPageToken")
    }
    warn(log.skippedEntries, others: "entries skipped", outcome: ": skipped")
    warn(log.skippedFields, others: "fields skipped", outcome: ": skipped")
    warn(log.unclearStatuses, others: "unclear statuses")
    if log.duplicateCount > 0 {
      console.warn("\(name): \(Units.count(log.duplicateCount, "duplicate")) skipped")
    }
    if log.unknownFieldCount > 0 {
      let names = log.unknownFields.map { shortened($0) }.joined(separator: ", ")
      let fields = Units.count(log.unknownFieldCount, "unknown field")
      console.warn("\(name): \(fields) ignored, such as \(names)")
    }
    return AnySequence(log.entries)
  }

  /// - Parameters:
  ///   - others: the noun for those whose reasons are not kept.
  ///   - outcome: what became of each.
  private func warn(_ problems: CloudLogProblems, others: String, outcome: String = "") {
    for reason in problems.reasons { console.warn(reason.text(of: name) + outcome) }
    if problems.otherCount > 0 { console.warn("\(name): \(problems.otherCount) more \(others)") }
  }
}
