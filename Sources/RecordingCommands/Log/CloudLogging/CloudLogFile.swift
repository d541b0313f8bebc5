import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire
import WireSystem

/// An export of Cloud Logging that is read in place of a recording.
struct CloudLogFile {
  /// The size of the decompressed file in bytes. It is read at once, because it may have the newest entry
  /// first.
  private static let limit = 256 << 20

  /// A file, or `-` for stdin.
  let path: String
  let types: MessageTypes
  let console: Console

  /// Passes the entries of every call to `view`.
  func show(to view: any LogView) throws(ErrorReport) {
    var calls = CallNumbers()
    for entry in try entries() { try view.add(LoggedEntry(entry, of: calls.call(of: entry))) }
    try view.end(calls: calls.count)
  }

  /// Returns the entries of every call in the order of their times, and warns about what is left out.
  func entries() throws(ErrorReport) -> [BinlogGrpcLogEntry] {
    let log = try read()
    warn(log.warnings, of: log.omittedCount, "entries")
    warn(log.fieldWarnings, of: log.unreadableFieldCount, "fields")
    if log.deliveryCount > 0 {
      console.warn(
        "\(path): \(Units.count(log.deliveryCount, "call")) of maps.fleetengine.delivery.v1 skipped:"
          + " deliveries are not supported")
    }
    if log.unknownFieldCount > 0 {
      let names = log.unknownFields.map { shortened($0) }.joined(separator: ", ")
      let fields = Units.count(log.unknownFieldCount, "unknown field")
      console.warn("\(path): \(fields) ignored, such as \(names)")
    }
    return log.entries
  }

  private func warn(_ warnings: [String], of count: Int, _ noun: String) {
    for warning in warnings { console.warn("\(path): \(warning): skipped") }
    if count > warnings.count {
      console.warn("\(path): \(count - warnings.count) more \(noun) skipped")
    }
  }

  private func read() throws(ErrorReport) -> CloudLog {
    let text = try mapError(unpackedContent(of: path, limit: Self.limit)) {
      (error: BinaryLogError) in
      let hint =
        if case .tooLarge = error.fileError {
          "export the logs of a shorter time range"
        } else {
          ErrorReport.accessHint(for: [path], in: "--import-cloud-logging")
        }
      return ErrorReport(
        local: "--import-cloud-logging \(escaped(error.description))", hint: hint)
    }
    // The first bytes of a ZIP file.
    if text.starts(with: [0x50, 0x4b, 3, 4]) {
      throw ErrorReport(
        local: "--import-cloud-logging \(escaped(path)): a ZIP file", hint: "unpack it first")
    }
    return try mapError(CloudLog(text, types)) { (error: CloudLogError) in
      ErrorReport(
        local: "--import-cloud-logging \(escaped(path)):\(error.isPlaced ? "" : " ")"
          + escaped(error.description),
        hint: Self.isRecording(text)
          ? "read a recording without --import-cloud-logging: tripwire log FILE"
          : "export the logs of Fleet Engine as JSON: gcloud logging read --format=json")
    }
  }

  /// Whether the first entry of a binary log follows its length.
  private static func isRecording(_ content: [UInt8]) -> Bool {
    let length = content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, content.count >= 4 + length else { return false }
    return (try? BinlogGrpcLogEntry(serializedBytes: content[4..<(4 + length)])) != nil
  }
}
