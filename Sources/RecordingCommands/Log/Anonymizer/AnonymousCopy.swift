import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire

/// Writes an anonymous copy of a log to a new file, and the list of its replacements to another.
final class AnonymousCopy: LogView {
  private let anonymizer: Anonymizer
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

  var output: String? { file.name }

  func end(calls: Int) throws(ErrorReport) {
    for line in anonymizer.omissions.lines { console.warn("omitted: \(line)") }
    guard !isEmpty else {
      throw .noFleetEngineCalls(
        for: file.name, among: calls, isSelection: isSelection)
    }
    try file.finish()
    // The real IDs are not written if there is no copy.
    try mapping?.write(Array(escapedJSON(anonymizer.mapping).utf8))
    try mapping?.finish()
    console.error("\(file.place): \(contents)\n")
  }

  /// "435 calls, 2 trips, 1 vehicle": the kinds of resources that the copy has.
  private var contents: String {
    ([Units.count(anonymizer.callCount, "call")] + ResourceKind.counts(anonymizer.count))
      .joined(separator: ", ")
  }
}

extension ResourceKind {
  /// Returns "2 trips" and "1 task", without the kinds of which there are none.
  static func counts(_ count: (ResourceKind) -> Int) -> [String] {
    allCases.map { ($0, count($0)) }.filter { $1 > 0 }.map { Units.count($1, $0.noun) }
  }
}

extension Omissions {
  /// The number of methods that have a line of their own.
  private static let methodLimit = 10

  /// One line for each omission.
  var lines: [String] {
    let methods = Array(calls.keys).sorted()
    var lines = methods.prefix(Self.methodLimit).map { method in
      let count = Units.count(calls[method] ?? 0, "call")
      return method.isEmpty
        ? "\(count) whose first event is not in the recording" : "\(count) of \(shortened(method))"
    }
    let others = methods.dropFirst(Self.methodLimit)
    if !others.isEmpty {
      let count = others.reduce(0) { $0 + (calls[$1] ?? 0) }
      lines.append("\(Units.count(count, "call")) of \(others.count) other methods")
    }
    for content in Array(contents.keys).sorted() {
      guard let omission = contents[content] else { continue }
      lines.append(
        "\(content) (\(Units.count(omission.count, "value")))"
          + (omission.reason.map { ": " + $0 } ?? ""))
    }
    return lines
  }
}
