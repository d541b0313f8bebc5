import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire

/// Writes an anonymous copy of a log to a new file, and the list of its replacements to another.
final class AnonymousCopy: LogView {
  private let anonymizer: Anonymizer
  private let path: String
  private let isSelection: Bool
  private let console: Console
  private let file: OutputFile
  private let mapping: OutputFile?
  private var isEmpty = true

  /// - Parameters:
  ///   - mapping: the path of the other file.
  ///   - isSelection: whether only some calls are passed on.
  /// - Throws: a report if a file cannot be created.
  init(
    _ types: MessageTypes, to path: String, mapping: String?, isSelection: Bool, _ console: Console
  ) throws(ErrorReport) {
    anonymizer = Anonymizer(types)
    self.path = path
    self.isSelection = isSelection
    self.console = console
    self.mapping =
      if let mapping { try OutputFile(mapping, for: "--mapping") } else { nil }
    file = try OutputFile(path, for: "--anonymize", isBinary: true)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    guard let copy = anonymizer.copy(entry) else { return }
    isEmpty = false
    try file.write(copy.framed)
  }

  var output: String? { "--anonymize \(escaped(path))" }

  func end(calls: Int) throws(ErrorReport) {
    for line in anonymizer.omissions.lines { console.warn("omitted: \(line)") }
    guard !isEmpty else {
      throw .noFleetEngineCalls(
        for: "--anonymize \(escaped(path))", among: calls, isSelection: isSelection)
    }
    try file.finish()
    // The real IDs are not written if there is no copy.
    try mapping?.write(Array(escapedJSON(anonymizer.mapping).utf8))
    try mapping?.finish()
    console.error("\(file.place): \(contents)\n")
  }

  /// "435 calls, 2 trips, 1 vehicle": the kinds of resources that the copy has.
  private var contents: String {
    let counts = ResourceKind.allCases.map { ($0, anonymizer.count(of: $0)) }.filter { $1 > 0 }
    return ([Units.count(anonymizer.callCount, "call")] + counts.map { Units.count($1, $0.noun) })
      .joined(separator: ", ")
  }
}
