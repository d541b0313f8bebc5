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

  let project: String
  private let resources: [LoggedResource]
  /// The resources, as they were given.
  private let names: [String]
  private let since: LogMoment
  private let until: LogMoment?
  private let save: String?
  private let server: ServerOptions

  init(of project: String, _ options: LogOptions) throws(UsageError) {
    guard let since = options.selection.since else {
      throw .requirement(of: Self.option, "--since")
    }
    self.project = project
    self.since = since
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

  /// Fetches the entries, and saves them if an option says so. Returns a JSON array.
  ///
  /// - Parameter start: when the time of --timeout began.
  func fetch(
    since start: ContinuousClock.Instant, _ console: Console
  ) async throws(ErrorReport) -> [UInt8] {
    let clock = console.clock()
    let zone = LocalTime(now: clock.now, offset: clock.offset)
    let now = Timestamp(seconds: clock.now)
    let first = since.time(zone, ofRecordingFrom: now)
    let end = until?.time(zone, ofRecordingFrom: now)
    if let end, end <= first {
      throw .usage("--until is not after --since", hint: "pass a later time with --until")
    }
    let file = try save.map { (path) throws(ErrorReport) in try OutputFile(path, for: "--save") }
    let download = LogDownload(
      project: project, resources: resources, since: first, until: end)
    var result = try await server.withServer(console, on: console.loop, since: start) {
      server throws(ErrorReport) in try await complete(download, from: server, console)
    }
    guard result.entries.count > 0 else {
      let subject = names.isEmpty ? "Fleet Engine" : names.joined(separator: ", ")
      throw ErrorReport(
        local: "\(Self.option) \(project): no log entries of \(escaped(subject)) in this period",
        hint: "choose an earlier time with --since, or check the names")
    }
    if result.omittedRelatedCount > 0 {
      console.warn(
        "\(project): \(result.omittedRelatedCount) more related resources are not fetched; fetch them with --resource"
      )
    }
    let count = Self.words(result.entries.count)
    let text = result.takeJSON()
    if let file {
      try file.write(text)
      try file.finish()
      console.error("\(file.place): \(count)\n")
    }
    return text
  }

  private func complete(
    _ download: LogDownload, from server: Server, _ console: Console
  ) async throws(ErrorReport) -> LogDownload {
    let reader = LogReader(try server.channel(), server.tokens) {
      server.callOptions($0, isOnlyCall: true)
    }
    let place = "\(Self.option) \(project)"
    var download = download
    while let request = download.request {
      if let last = download.entries.lastTime {
        let stamp = console.clock().stamp(last.seconds, nanos: last.nanos)
        console.waitLine.show(
          "\(place): \(Self.words(download.entries.count)), the last of \(stamp)")
      }
      let response: ListLogEntriesResponse
      do throws(CallError) {
        response = try await reader.list(request)
      } catch {
        guard let delay = download.delay(after: error),
          server.filesDeadline.map({ .now + delay < $0 }) ?? true
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
      try mapError(download.receive(response)) { (error: LogDownloadError) in
        Self.report(error, at: place)
      }
    }
    return download
  }

  private static func words(_ count: Int) -> String {
    count == 1 ? "1 log entry" : "\(count) log entries"
  }

  private static func report(_ error: LogDownloadError, at place: String) -> ErrorReport {
    switch error {
    case .repeatedPageToken, .unwritable:
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

extension LoggedResource {
  /// - Parameters:
  ///   - text: a whole name, "trips/t1", or an ID.
  ///   - option: the option that has the text.
  ///   - kind: the kind of an ID; nil for any.
  fileprivate init(
    _ text: String, of option: String, in project: String, isOf kind: ResourceKind?
  ) throws(UsageError) {
    func error(_ problem: String, hint: String) -> UsageError {
      UsageError(
        message: "\(option) \(escaped(text)): \(problem)", options: [String(option.dropFirst(2))],
        hint: hint)
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let named = parts.count > 1 ? ResourceKind(rawValue: parts[parts.count - 2]) : kind
    let isWhole = parts.count == 4 && parts[0] == "providers"
    guard let id = parts.last, !id.isEmpty, parts.count < 3 || isWhole,
      parts.count == 1 || named != nil
    else {
      throw error("not the name of a resource", hint: "pass a name such as trips/TRIP, or an ID")
    }
    guard !isWhole || parts[1] == project else {
      throw error(
        "not in the project of --cloud-logging, \(project)",
        hint: "pass --cloud-logging \(shellWord(parts[1])), or a name of this project")
    }
    guard let resource = LoggedResource(named, id: id) else {
      throw error(
        "Fleet Engine does not label its log entries with tracking IDs",
        hint: "pass the task, as tasks/TASK")
    }
    self = resource
  }
}
