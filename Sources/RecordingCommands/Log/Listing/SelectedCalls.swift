import CommandShell
import RecordingAnalysis
import WireProtobuf

/// Passes the entries of selected calls to another view.
final class SelectedCalls: LogView {
  private let selection: CallSelection
  private let view: any LogView
  private let console: Console
  private var entries: SelectedEntries

  init(
    _ selection: CallSelection, _ types: MessageTypes, for view: any LogView, _ console: Console
  ) {
    self.selection = selection
    self.view = view
    self.console = console
    entries = SelectedEntries(selection, types)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    let decided = try mapError(entries.add(entry)) { (error: OpenCallsOverflow) in
      ErrorReport(error)
    }
    for entry in decided { try view.add(entry) }
  }

  func pause() throws(ErrorReport) {
    for entry in entries.pause() { try view.add(entry) }
    try view.pause()
  }

  func end(calls count: Int) throws(ErrorReport) {
    for entry in entries.end() { try view.add(entry) }
    if entries.callCount == 0, count > 0 {
      try selection.warnOfNone(among: count, for: view.output, console)
    }
    try view.end(calls: entries.callCount)
  }
}
