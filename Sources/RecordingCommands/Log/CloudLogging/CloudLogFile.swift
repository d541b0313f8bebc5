import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire
import WireSystem

/// Entries of Cloud Logging that are read in place of a recording, or besides one.
struct CloudLogFile {
  /// The size of the decompressed file in bytes. Its calls are in memory at once, because it may have the newest
  /// first.
  private static let limit = 256 << 20

  /// "--import-cloud-logging"
  var option = "--import-cloud-logging"
  /// A file, or `-` for stdin; the name of the project if there is `text`.
  let path: String
  /// JSON in place of that in the file.
  var text: [UInt8]?
  let types: MessageTypes
  let console: Console

  /// Passes the entries of every call to `view`.
  func show(to view: any LogView) throws(ErrorReport) {
    var calls = CallNumbers()
    for entry in try entries() { try view.add(LoggedEntry(entry, of: calls.call(of: entry))) }
    try view.end(calls: calls.count)
  }

  /// Returns the entries of every call in the order of their times, and warns about what is left out.
  func entries() throws(ErrorReport) -> AnySequence<BinlogGrpcLogEntry> {
    let log = try read()
    if let damage = log.damage { console.warn("\(path):\(damage)") }
    warn(log.skippedEntries, of: "")
    warn(log.skippedFields, of: "field of ")
    if log.duplicateCount > 0 {
      console.warn("\(path): \(Units.count(log.duplicateCount, "duplicate")) skipped")
    }
    if log.unknownFieldCount > 0 {
      let names = log.unknownFields.map { shortened($0) }.joined(separator: ", ")
      let fields = Units.count(log.unknownFieldCount, "unknown field")
      console.warn("\(path): \(fields) ignored, such as \(names)")
    }
    return AnySequence(log.entries)
  }

  /// - Parameter part: what was skipped of an entry; empty for all of it.
  private func warn(_ problems: CloudLogProblems, of part: String) {
    for text in problems.texts { console.warn("\(path): \(part)\(text): skipped") }
    if problems.otherCount > 0 {
      console.warn("\(path): \(part)\(problems.otherCount) more entries skipped")
    }
  }

  private func read() throws(ErrorReport) -> CloudLog {
    if let text { return try read(text) }
    var log = CloudLog(types)
    var beginning: [UInt8] = []
    do {
      let file = try UnpackedText(of: path, limit: Self.limit)
      while case let bytes = try file.next(), !bytes.isEmpty {
        if beginning.isEmpty { beginning = bytes }
        // The first bytes of a ZIP file.
        guard !beginning.starts(with: [0x50, 0x4b, 3, 4]) else { throw zipFile }
        try log.add(bytes)
        showProgress(of: file, after: bytes.count)
      }
      try log.end()
      return log
    } catch let error as BinaryLogError {
      let hint =
        if case .tooLarge = error.fileError {
          "export the logs of a shorter time range"
        } else {
          ErrorReport.accessHint(for: [path], in: option)
        }
      throw ErrorReport(local: "\(option) \(escaped(error.description))", hint: hint)
    } catch let error as CloudLogError {
      throw ErrorReport(
        local: "\(option) \(escaped(path)):\(error.isPlaced ? "" : " ")"
          + escaped(error.description),
        hint: Self.isRecording(beginning)
          ? "read a recording without --import-cloud-logging: tripwire log FILE"
          : "export the logs of Fleet Engine as JSON: gcloud logging read --format=json")
    } catch {
      throw error as? ErrorReport ?? ErrorReport(local: "\(error)")
    }
  }

  private func read(_ text: [UInt8]) throws(ErrorReport) -> CloudLog {
    var log = CloudLog(types)
    do throws(CloudLogError) {
      try log.add(text)
      try log.end()
      return log
    } catch {
      throw ErrorReport(
        local: "\(option) \(escaped(path)): \(escaped(error.description))",
        hint: "fetch another resource or period")
    }
  }

  private func showProgress(of file: UnpackedText, after count: Int) {
    // Each megabyte.
    guard file.count >> 20 > (file.count - count) >> 20 else { return }
    let size = file.size.map { " of \($0 >> 20)" } ?? ""
    console.waitLine.show("reading \(LocalFile.name(of: path)): \(file.count >> 20)\(size) MiB")
  }

  private var zipFile: ErrorReport {
    ErrorReport(
      local: "\(option) \(escaped(path)): a ZIP file",
      hint:
        "unpack it: unzip -p \(path == "-" ? "FILE" : shellWord(path)) | tripwire log --import-cloud-logging -"
    )
  }

  /// Whether the first entry of a binary log follows its length.
  private static func isRecording(_ content: [UInt8]) -> Bool {
    let length = content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, content.count >= 4 + length else { return false }
    return (try? BinlogGrpcLogEntry(serializedBytes: content[4..<(4 + length)])) != nil
  }
}
