import CommandLine
import CommandShell
import RecordingAnalysis

/// One of two logs that are compared.
enum ComparedLog {
  case recording([String])
  case export(String)

  /// The path of its first file.
  var path: String {
    switch self {
    case .recording(let paths): paths.first ?? ""
    case .export(let path): path
    }
  }

  /// Passes every entry to `view`, with times by the clock of the server.
  func show(
    to view: any LogView, _ types: MessageTypes, _ console: Console
  ) throws(ErrorReport) {
    switch self {
    case .recording(let paths):
      var file = LogFile(paths: paths, console: console)
      // The clocks of two clients are compared by that of the server.
      let offset = try file.correctClock(types)
      try file.show(to: view)
      if file.shift != 0, let offset { console.error("\(escaped(path)): \(offset.text)\n") }
    case .export:
      try CloudLogFile(path: path, types: types, console: console).read().show(to: view)
    }
  }
}
