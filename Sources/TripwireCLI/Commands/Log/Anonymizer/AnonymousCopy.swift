import Recording
import RecordingAnalysis

/// Writes an anonymous copy of a log to a new file, and the list of its replacements to another.
final class AnonymousCopy: LogView {
  private let anonymizer: Anonymizer
  private let path: String
  private let mappingPath: String?
  private let isSelection: Bool
  private let console: Console
  /// Created for the first entry that is copied.
  private var file: NewFile?
  private var mapping: NewFile?

  /// - Parameters:
  ///   - mapping: the path of the other file.
  ///   - isSelection: whether only some calls are passed on.
  init(
    _ types: MessageTypes, to path: String, mapping: String?, isSelection: Bool, _ console: Console
  ) {
    anonymizer = Anonymizer(types)
    self.path = path
    mappingPath = mapping
    self.isSelection = isSelection
    self.console = console
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    guard let copy = anonymizer.copy(entry) else { return }
    if file == nil { try makeFiles() }
    try file?.write(copy.framed)
  }

  var output: String? { "--anonymize \(escaped(path))" }

  func end(calls: Int) throws(ErrorReport) {
    try mapping?.write(Array(escapedJSON(anonymizer.mapping).utf8))
    try mapping?.flush()
    try file?.flush()
    for line in anonymizer.omissions.lines { console.warn("omitted: \(line)") }
    guard file != nil else {
      let why =
        switch (calls, isSelection) {
        case (0, _): "the recording contains no calls"
        case (_, true):
          "the selection has no Fleet Engine calls (\(Units.count(calls, "call")) selected)"
        case (_, false):
          "the recording has no Fleet Engine calls (\(Units.count(calls, "call")) read)"
        }
      throw ErrorReport(
        local: "--anonymize \(escaped(path)): \(why)",
        hint: calls > 0 && isSelection ? "select other calls" : nil)
    }
    console.error("\(escaped(path)): \(contents)\n")
  }

  /// "435 calls, 2 trips, 2 vehicles".
  private var contents: String {
    [
      Units.count(anonymizer.callCount, "call"), Units.count(anonymizer.tripCount, "trip"),
      Units.count(anonymizer.vehicleCount, "vehicle"),
    ].joined(separator: ", ")
  }

  private func makeFiles() throws(ErrorReport) {
    if let mappingPath { mapping = try NewFile(mappingPath, option: "--mapping") }
    do throws(ErrorReport) {
      file = try NewFile(path, option: "--anonymize")
    } catch {
      mapping?.remove()
      throw error
    }
  }
}
