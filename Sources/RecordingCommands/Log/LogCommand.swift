import CommandCalls
import CommandLine
package import CommandShell
import RecordingAnalysis

package let logCommand = Command.calling(
  name: "log", summary: "show the calls of a recording", operand: .file,
  help: { help },
  request: { (line, options: LogOptions) throws(UsageError) in try LogRequest(line, options) },
  run: { (request, console) throws(ErrorReport) in
    try await request.run(console)
    return .success
  })

/// What `tripwire log` reads, and how it shows it.
struct LogRequest: Sendable {
  private let options: LogOptions
  private let first: LogSource
  /// The server's side of the first one.
  private let second: LogSource?

  init(_ line: ParsedCommandLine, _ options: LogOptions) throws(UsageError) {
    guard !line.operands.isEmpty || options.hasServerLog else {
      throw UsageError(
        message: "FILE is missing", hint: "pass a recording: tripwire log trip.binlog")
    }
    let use = line.operands.contains("-") ? "recording is" : options.server.standardInput
    if let error = options.contradiction(line)
      ?? options.schema.contradiction(withStandardInputFor: use)
    {
      throw error
    }
    if let error = UsageError.invalidFiles(line.operands) { throw error }
    if options.isFollowed, line.operands.count > 1 {
      throw UsageError(
        message: "--follow takes one FILE", hint: "name the file that is being written")
    }
    if options.hasServerLog, line.operands.contains("-") {
      throw UsageError(
        message: "FILE: - cannot be read twice, as for both sides of a trip",
        hint: "save the recording to a file")
    }
    if let other = options.other, ([options.cloudLog] + line.operands).contains(other) {
      throw UsageError(
        message: "--compare \(escaped(other)): the same file twice", options: ["compare"],
        hint: "pass the log of another observer with --compare")
    }
    let recording = LogSource.recording(line.operands)
    let server: LogSource? =
      if let project = options.project {
        .query(try CloudLogQuery(of: project, options, hasRecording: !line.operands.isEmpty))
      } else {
        options.cloudLog.map { .export($0) }
      }
    (first, second) = line.operands.isEmpty ? (server ?? recording, nil) : (recording, server)
    self.options = options
  }

  func run(_ console: Console) async throws(ErrorReport) {
    let start = ContinuousClock.now
    // A followed file never ends.
    if !options.isFollowed { console.waitLine.show("reading \(first.paths.first ?? "the log")") }
    defer { console.waitLine.end() }
    let given = try await options.schema.loaded(until: nil)
    let schema = if let given { given } else { try EmbeddedSchema.schema() }
    let types = MessageTypes(pool: schema.pool)
    if let other = options.other {
      let other = try LogSource(other, of: "--compare")
      if let path = options.map {
        let map = ComparisonMap(types: types, options: options, console: console)
        try await map.write(first, other, to: path)
      } else if let selected = options.timeline {
        let comparison = Comparison(
          types: types, selected: selected, isJSON: options.isJSON, console: console)
        try await comparison.run(first, other)
      }
      return
    }
    let view = try shownOptions.view(types, hasBothSides: second != nil, on: console)
    var log = LogFile(paths: first.paths, isFollowed: options.isFollowed, console: console)
    let serverLog = try await (second ?? first).serverLog(
      types, of: second == nil ? nil : log, since: start, console)
    guard let serverLog else {
      if let view = view as? EvidenceView { try log.correctSetClock(types, for: view) }
      return try log.show(to: view)
    }
    guard second != nil else { return try serverLog.show(to: view) }
    try BothSides(recording: log, serverLog: serverLog, types: types).show(to: view)
  }

  /// The period of a query and the resources that it names select what is fetched, and the view shows all of that.
  private var shownOptions: LogOptions {
    guard options.callsServer else { return options }
    var options = options
    (options.selection.since, options.selection.until) = (nil, nil)
    options.selection.resources = []
    return options
  }
}

private let help = HelpText(
  usage: "tripwire log FILE... [options]\n"
    + "       tripwire log --cloud-logging PROJECT --since TIME [options]",
  about:
    "Shows the calls of a recording, sorted by their start. A recording is a gRPC binary log of any"
    + " program. Several files are read as one recording. Rotated files are sorted by their number, other"
    + " files by the time of their first entry. If the times of two files overlap by more than a second, tripwire warns and shows the calls"
    + " of one file after those of the other. FILE may be compressed with gzip; - reads stdin. A status that is"
    + " known to come from the client is marked (local). Times are in the local zone, which the"
    + " output names; in JSON they are in UTC.",
  examples: [
    "tripwire log trip.binlog": "print a line for each call",
    "tripwire log trip.binlog*": "include trip.binlog.1 and so on, made by --record-size",
    "tripwire log trip.binlog --errors --since 09:30": "show the calls that failed since 09:30",
    "tripwire log trip.binlog -f --errors": "show each call that fails, until Ctrl-C",
    "tripwire log trip.binlog --summary": "print statuses and latencies",
    "tripwire log trip.binlog --call 3": "show the third call in full",
    "tripwire log trip.binlog --trip t1": "print the timeline of a trip",
    "tripwire log van.binlog --timeline deliveryVehicles/v1":
      "print the timeline of a delivery vehicle",
    "tripwire log trip.binlog --map trip.html": "show the recording on a map",
    "tripwire log trip.binlog --resource t1 --anonymize t1.binlog":
      "make a copy for a bug report",
    "tripwire log --import-cloud-logging logs.json --trip t1":
      "print the timeline of a trip in Google's logs",
    "tripwire log trip.binlog --import-cloud-logging logs.json --trip t1 --explain":
      "say why the vehicle stood still on the map",
    "tripwire log --cloud-logging my-project --resource trips/t1 --since 2h":
      "fetch the logs of a trip and its vehicle from Google",
    "tripwire log trip.binlog -o json | jq -c 'select(.trailer.statusCode > 0)'": "",
  ], options: LogOptions.all,
  exitCodes: [
    ("0", "success; stderr may have warnings"),
    (
      "1",
      "a file cannot be read or written, no call can be copied, or the recording does not have the call,"
        + " trip, method or resource of an option, or two logs have no time in common"
    ),
    ("2", "invalid command line"), ("5", "the condition of --fail-on holds"),
    ExitCode.failedCall("Only with --cloud-logging"),
    ExitCode.signaled,
    ("141", "stdout was closed by its reader, as by 'head'"),
  ])
