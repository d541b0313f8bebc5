import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import WireProtobuf

/// A log that the command reads.
enum LogSource: Sendable {
  /// The paths of the files.
  case recording([String])
  /// The path of an export of Cloud Logging.
  case export(String)
  case query(CloudLogQuery)

  /// Finds out whether a file is a recording or an export.
  ///
  /// - Parameter option: the option that names the file.
  init(_ path: String, of option: String) throws(ErrorReport) {
    let isJSON = try mapError(beginsAsJSON(path)) { (error: BinaryLogError) in
      ErrorReport(
        local: "\(option) \(escaped(error.description))",
        hint: ErrorReport.accessHint(for: [path], in: option))
    }
    self = isJSON ? .export(path) : .recording([path])
  }

  /// The paths of its files.
  var paths: [String] {
    switch self {
    case .recording(let paths): paths
    case .export(let path): [path]
    case .query: []
    }
  }

  /// Reads Google's logs; returns nil for a recording.
  ///
  /// - Parameters:
  ///   - recording: the calls of which this is the server's side.
  ///   - start: when the time of --timeout began.
  func serverLog(
    _ types: MessageTypes, of recording: LogFile? = nil,
    since start: ContinuousClock.Instant = .now,
    _ console: Console
  ) async throws(ErrorReport) -> ServerLog? {
    switch self {
    case .recording: nil
    case .export(let path): try CloudLogFile(path: path, types: types, console: console).read()
    case .query(let query):
      try await query.fetch(
        types, during: try recording?.period(types), since: start, console)
    }
  }

  /// Passes every entry to `view`, with times by the clock of the server: the clocks of two clients are compared by
  /// that.
  func show(
    to view: any LogView, _ types: MessageTypes, _ console: Console
  ) async throws(ErrorReport) {
    if let log = try await serverLog(types, console) { return try log.show(to: view) }
    var file = LogFile(paths: paths, console: console)
    try file.correctClock(types)
    try file.show(to: view)
    for text in file.clock.changes(console) { console.warn("\(paths[0]): \(text)") }
    guard file.clock.parts.contains(where: { $0.offset.correction != 0 }) else { return }
    for line in file.clock.lines(console) { console.error("\(escaped(paths[0])): \(line)\n") }
  }
}
