import Recording
import RecordingAnalysis
import Tripwire

/// Writes the calls of a log to a new file in the form of Cloud Logging.
final class CloudLogCopy: LogView {
  private let path: String
  private let console: Console
  private var writer: CloudLogWriter
  /// Created for the first call.
  private var file: NewFile?

  init(_ types: MessageTypes, to path: String, _ console: Console) {
    self.path = path
    self.console = console
    writer = CloudLogWriter(types)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    let texts: [String]
    do throws(SelectedEntries.Overflow) {
      texts = try writer.add(entry)
    } catch {
      throw ErrorReport(error)
    }
    for text in texts {
      let start = file == nil ? "[\n" : ",\n"
      if file == nil { file = try NewFile(path, option: "--export-cloud-logging") }
      try file?.write(Array((start + text).utf8))
    }
  }

  var output: String? { "--export-cloud-logging \(escaped(path))" }

  func end(calls: Int) throws(ErrorReport) {
    guard let file else {
      let read = Units.count(calls, "call")
      throw ErrorReport(
        local: "--export-cloud-logging \(escaped(path)): the recording has no Fleet Engine calls"
          + " (\(read) read)")
    }
    try file.write(Array("\n]\n".utf8))
    try file.flush()
    if writer.omittedCount > 0 {
      console.warn(
        "\(Units.count(writer.omittedCount, "call")) omitted: a message is incomplete or invalid")
    }
    console.error("\(escaped(path)): \(Units.count(writer.callCount, "call"))\n")
  }
}

extension ErrorReport {
  init(_: SelectedEntries.Overflow) {
    self.init(
      local: "the unfinished calls need more than \(SelectedEntries.limit >> 20) MiB of memory",
      hint: "select fewer calls with --method, --since or --until")
  }
}
