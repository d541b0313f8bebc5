import CommandShell
import Recording
import RecordingAnalysis

/// The entries as JSON, one object on each line.
final class EntryList: LogView {
  private let json: EntryJSON
  private let output: LogOutput
  private let call: Int?

  /// - Parameter call: the number of the only call to show; nil shows all.
  init(_ types: MessageTypes, of call: Int?, _ console: Console) {
    json = EntryJSON(types)
    self.call = call
    output = LogOutput(console)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    if call == nil || entry.call.number == call {
      try output.write(json: json.object(entry) + "\n")
    }
  }

  func pause() throws(ErrorReport) { try output.flush() }

  func end(calls: Int) throws(ErrorReport) {
    if let call { try LogFile.check(call, among: calls) }
    try output.flush()
  }
}
