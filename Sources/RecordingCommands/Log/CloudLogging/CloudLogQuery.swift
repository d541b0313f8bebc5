import CloudLogging
import CommandLine
import CommandShell
import FleetEngineAPI
import RecordingAnalysis
import Tripwire
import WireProtobuf

/// Log entries to fetch from Cloud Logging, as the options name them.
struct CloudLogQuery: Sendable {
  private static let option = "--cloud-logging"
  /// How long before and after a recording its calls may have log entries: clocks differ. In seconds.
  private static let margin: Int64 = 300

  private let project: String
  private let resources: [LoggedResource]
  /// The resources, as they were given.
  private let names: [String]
  /// Nil for the time of the recording.
  private let since: LogMoment?
  private let until: LogMoment?
  private let save: String?
  private let server: ServerOptions

  /// - Parameter hasRecording: whether the log is the server's side of a recording.
  init(
    of project: String, _ options: LogOptions, hasRecording: Bool
  ) throws(UsageError) {
    guard hasRecording || options.selection.since != nil else {
      throw .requirement(of: Self.option, "--since")
    }
    self.project = project
    since = options.selection.since
    until = options.selection.until
    save = options.save
    server = options.server
    var resources: [LoggedResource] = []
    for name in options.selection.resources {
      resources.append(
        try LoggedResource(name, of: "--resource", in: project, isOf: nil))
    }
    if let timeline = options.timeline {
      resources.append(
        try LoggedResource(
          timeline.text, of: timeline.option, in: project, isOf: timeline.resource.kind))
    }
    self.resources = resources
    names = options.selection.resources + [options.timeline?.text].compactMap(\.self)
  }

  private var place: String { "\(Self.option) \(project)" }

  /// Fetches the entries, and saves them if an option says so.
  ///
  /// - Parameters:
  ///   - recorded: the time of the recording; nil without one.
  ///   - start: when the time of --timeout began.
  func fetch(
    _ types: MessageTypes, during recorded: ClosedRange<Timestamp>?,
    since start: ContinuousClock.Instant, _ console: Console
  ) async throws(ErrorReport) -> ServerLog {
    let (first, end) = try period(recorded, console)
    let log = try await server.withServer(console, on: nil, since: start) {
      server throws(ErrorReport) in
      let file = try save.map { (path) throws(ErrorReport) in
        try OutputFile(path, for: "--save")
      }
      var download = LogDownload(
        project: project, resources: resources, since: first, until: end)
      var log = CloudLog(types)
      do throws(ErrorReport) {
        try await complete(&download, into: &log, savedTo: file, from: server, console)
      } catch {
        if let save, download.entryCount > 0 {
          console.warn("\(save) is not written; \(words(download)) are discarded")
        }
        throw error
      }
      guard download.entryCount > 0 else {
        let subject = names.isEmpty ? "Fleet Engine" : names.joined(separator: ", ")
        throw ErrorReport(
          local: "\(place): no log entries of \(escaped(subject)) in this period",
          hint: "choose an earlier time with --since, or check the names")
      }
      if download.omittedRelatedCount > 0 {
        console.warn(
          "\(place): \(download.omittedRelatedCount) more related resources are not fetched; fetch them with --resource"
        )
      }
      try file?.write(Array("\n]\n".utf8))
      try file?.finish()
      try mapError(log.end()) { (error: CloudLogError) in
        ErrorReport(
          local: escaped(error.text(of: place)), hint: "fetch another resource or period")
      }
      if let file { console.error("\(file.place): \(words(download))\n") }
      return log
    }
    return ServerLog(name: project, log: log, console: console)
  }

  /// Returns the first time, and the end, which is not included; nil for no end.
  private func period(
    _ recorded: ClosedRange<Timestamp>?, _ console: Console
  ) throws(ErrorReport) -> (Timestamp, Timestamp?) {
    let clock = console.clock()
    let zone = LocalTime(now: clock.now, offset: clock.offset)
    let day = recorded?.lowerBound ?? Timestamp(seconds: clock.now)
    var first = since?.time(zone, ofRecordingFrom: day)
    var end = until?.time(zone, ofRecordingFrom: day)
    if let first, let end, end <= first {
      throw .usage("--until is not after --since", hint: "pass a later time with --until")
    }
    if let recorded {
      if first.map({ $0 > recorded.lowerBound }) == true
        || end.map({ $0 <= recorded.upperBound }) == true
      {
        console.warn(
          "\(place): the recording is longer than the period of --since and --until; its other calls have no"
            + " server's side")
      }
      first = first ?? Timestamp(seconds: recorded.lowerBound.seconds &- Self.margin)
      end = end ?? Timestamp(seconds: recorded.upperBound.seconds &+ Self.margin)
    }
    guard let first else {
      throw ErrorReport(
        local: "\(place): the recording has no times", hint: "pass the period with --since")
    }
    return (first, end)
  }

  /// - Parameter file: gets a JSON array of the entries, without its end.
  private func complete(
    _ download: inout LogDownload, into log: inout CloudLog, savedTo file: OutputFile?,
    from server: Server, _ console: Console
  ) async throws(ErrorReport) {
    let reader = LogReader(try server.channel(), server.tokens) {
      server.callOptions($0, isOnlyCall: true)
    }
    while let request = download.request {
      if let last = download.lastTime {
        let stamp = console.clock().stamp(last.seconds, nanos: last.nanos)
        console.waitLine.show("\(place): \(words(download)), the last of \(stamp)")
      }
      let page: LogPage
      do throws(CallError) {
        page = try await reader.list(request)
      } catch {
        guard let delay = download.delay(after: error),
          server.deadline.map({ .now + delay < $0 }) ?? true
        else {
          throw ErrorReport(
            error, server.hint(about: .logs(ofProject: project, method: LogReader.method)))
        }
        console.warn("\(place): the quota for reads is used up; waiting \(Units.seconds(delay))")
        guard await console.sleep(for: delay) else {
          throw ErrorReport(
            CallError(code: .cancelled, message: "canceled", origin: .local), hint: nil)
        }
        continue
      }
      for entry in page.entries {
        switch try mapError(download.add(entry), report) {
        case .json(let json):
          try file?.write(Array((download.entryCount == 1 ? "[\n" : ",\n").utf8) + json)
          log.add(entry: json)
        case .unreadable(let reason): log.skip(because: reason)
        case .duplicate: break
        }
      }
      try mapError(download.endPage(page.nextPageToken), report)
    }
  }

  private func words(_ download: LogDownload) -> String {
    let count = download.entryCount
    return count == 1 ? "1 log entry" : "\(count) log entries"
  }

  private func report(_ error: LogDownloadError) -> ErrorReport {
    switch error {
    case .repeatedPageToken, .tooManyPages:
      ErrorReport(
        CallError(
          code: .internal, message: "\(error)", origin: .server, attempts: 1,
          path: "/\(LogReader.method)"),
        hint: "try again, or fetch a shorter period")
    case .tooLarge, .tooMany:
      ErrorReport(
        local: "\(place): \(error)",
        hint: "fetch a shorter period with --since and --until, or fewer resources")
    }
  }
}
