import CommandLine
import CommandShell
import RecordingAnalysis
import WireProtobuf

/// Log entries that are read, and saved, as they arrive.
struct FetchedLog {
  /// "--cloud-logging p"
  private let place: String
  private let file: OutputFile?
  private var log: CloudLog
  private var isEmpty = true

  /// - Parameter file: gets a JSON array of the entries; nil for none.
  init(_ place: String, _ types: MessageTypes, savedTo file: OutputFile?) {
    self.place = place
    self.file = file
    log = CloudLog(types)
  }

  /// - Parameter json: an entry.
  mutating func add(_ json: [UInt8]) throws(ErrorReport) {
    try file?.write(Array((isEmpty ? "[\n" : ",\n").utf8) + json)
    isEmpty = false
    log.add(entry: json)
  }

  /// Counts an entry that cannot be read.
  mutating func skip(because reason: String) { log.skip(because: reason) }

  /// Gives the file its name, and returns the calls.
  mutating func end() throws(ErrorReport) -> CloudLog {
    try file?.write(Array((isEmpty ? "[]\n" : "\n]\n").utf8))
    try file?.finish()
    do throws(CloudLogError) {
      try log.end()
    } catch {
      throw ErrorReport(
        local: escaped(error.text(of: place)), hint: "fetch another resource or period")
    }
    return log
  }
}
