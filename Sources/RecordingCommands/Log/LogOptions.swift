import CloudLogging
import CommandCalls
import CommandLine
import CommandResources
import CommandShell
import RecordingAnalysis

struct LogOptions: ServerCommandOptions {
  var server = ServerOptions()
  var schema = SchemaOptions()
  var selection = CallCriteria()
  var isJSON = false
  var isFollowed = false
  var isSummary = false
  var call: Int?
  /// The resource of --trip or --timeline.
  var timeline: SelectedResource?
  var timelineForm = TimelineForm.events
  /// The path of the log that is compared.
  var other: String?
  /// The condition of --fail-on.
  var limit: StaleLimit?
  /// The path of the anonymous copy.
  var copy: String?
  /// The path of the list of its replacements.
  var mapping: String?
  /// The path of the page with a map.
  var map: String?
  var mapOptions = MapOptions()
  /// The path of an export of Cloud Logging to read.
  var cloudLog: String?
  /// The Cloud project whose logs are fetched.
  var project: String?
  /// The path of the file for the fetched entries.
  var save: String?
  /// The path of the file to write in that form.
  var cloudCopy: String?

  /// The output of --trip and --timeline.
  enum TimelineForm {
    case events, explanation, locations
  }

  var callsServer: Bool { project != nil }
  var isLocal: Bool { !callsServer }
  var api: GoogleAPI? { callsServer ? GoogleAPI(host: LogReader.host) : nil }
  var hasServerLog: Bool { cloudLog != nil || project != nil }

  static let all: [Option<LogOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print text (default) or json\njson is one object per line, a"
          + " grpc.binarylog.v1.GrpcLogEntry with its message decoded and the number of its call. Times are"
          + " in UTC. ndjson is the same.",
        choice: Choice([("text", false), ("json", true), ("ndjson", true)]),
        store: { $0.isJSON = $1 }),
      .flag("json", .common, "the same as -o json", store: { $0.isJSON = true }).inFullHelpOnly(),
      .flag(
        "follow", short: "f", .common,
        "keep reading as FILE grows, until Ctrl-C\nContinues when FILE is rotated. Works for the"
          + " list, -o json, --trip and --timeline.",
        store: { $0.isFollowed = true }
      ).excluding(["call", "summary", "import-cloud-logging", "cloud-logging"] + files),
      .flag(
        "summary", .common,
        "print one line per method\nShows the number of calls, the first and last start, p50,"
          + " p95, p99 and maximum latency, and the statuses. With -o json, one object per line.",
        store: { $0.isSummary = true }
      ).excluding(files),
      .value(
        "call", "N", .common, "show call N in full, as numbered in the list",
        parse: Parse.callNumber,
        store: { $0.call = $1 }
      ).excluding(["trip", "timeline", "summary"] + files + criteria),
      .value(
        "trip", "NAME", .common,
        "print the timeline of a trip, by its name or ID\nShows changes of status, vehicle, stops"
          + " and route. Shows a change of the ETA if it is a minute or more. Also shows errors and their"
          + " duration, gaps between responses (longer than both 1s and three times the usual interval), and"
          + " periods of more than 30s without a new vehicle location. --since and --until limit the time."
          + " With -o json, one object per line.",
        parse: Parse.text,
        store: {
          $0.timeline = SelectedResource(
            option: "--trip", text: $1, resource: ResourceSelector(trip: $1))
        }
      ).ofTimeline.excluding(["timeline"]),
      .value(
        "timeline", "NAME", .common,
        "print the timeline of any resource\nNAME is a whole name, such as providers/p/tasks/t1, or"
          + " \(NameOperands.shortForms); an ID alone is that of a trip."
          + " Shows what --trip shows, and navigation, outcomes, time windows and stops with their tasks."
          + " Includes responses to other methods, such as ListTasks and UpdateTask.",
        parse: Parse.timeline, store: { $0.timeline = $1 }
      ).ofTimeline,
      .flag(
        "explain", .common,
        "say why the vehicle of --trip stood still\nAlso with --timeline. Divides the trip into spans. A span is"
          + " stale if the app got no new location for more than three usual intervals: of its calls, or of"
          + " the updates of the vehicle, whichever is longer. For each stale span it names the cause: the"
          + " driver's app, the server, the network or the client. Pass a recording and"
          + " --import-cloud-logging together; one of them alone shows one side only.",
        store: { $0.timelineForm = .explanation }
      ).requiring("trip", "timeline").excluding(["locations", "follow"]),
      .value(
        "fail-on", "CONDITION", .common,
        "exit with 5 if --explain finds, say, 'stale>30s'\nThe condition is stale or one of the"
          + " causes, such as nothing-sent, then > and a duration. It holds if one span is longer. stale"
          + " counts consecutive stale spans as one.",
        parse: Parse.staleLimit, store: { $0.limit = $1 }
      ).requiring("explain").inFullHelpOnly(),
      .flag(
        "locations", .common,
        "print the way of each location to the app\nWith --trip or --timeline. One line for each location: when the device"
          + " measured it, Fleet Engine received it, an answer first contained it, and the app showed it."
          + " Updates that Fleet Engine changed, discarded or refused are marked with the reason.",
        store: { $0.timelineForm = .locations }
      ).requiring("trip", "timeline").excluding(["follow"]),
      .value(
        "compare", "FILE", .common,
        "show where FILE disagrees about --trip\nAlso with --timeline, or with --map for all resources. FILE is another recording or an export of"
          + " Cloud Logging, seen by another observer. Compares status, location, ETA and the number of"
          + " stops, and names the one that was behind. Differences up to three usual intervals of the"
          + " locations are left out.",
        parse: Parse.text, store: { $0.other = $1 }
      ).requiring("trip", "timeline", "map").excluding(
        ["explain", "locations", "follow", "since", "until", "cloud-logging"]),
      .value(
        "anonymize", "OUT", .common,
        "write an anonymized copy to the new file OUT\nOUT may also be a pipe, or - for stdout. The copy has the calls of Fleet Engine, with"
          + " other IDs and other places. Fields that are not known to be harmless are omitted; stderr lists"
          + " them. The copy keeps times and the shapes of routes, so someone with a map may still find the"
          + " place.",
        parse: Parse.outputFile, store: { $0.copy = $1 }
      ).writing().excluding(["export-cloud-logging", "map", "protoset"]),
      .value(
        "mapping", "FILE", .common,
        "write each ID with its replacement to FILE\nFor --anonymize: one JSON object per line."
          + " Keep FILE private.",
        parse: Parse.outputFile, store: { $0.mapping = $1 }
      ).writing().inFullHelpOnly().requiring("anonymize"),
      .value(
        "map", "OUT", .common,
        "write a page with a map to OUT\nReplaces an earlier map page, and no other file. - is stdout. OUT is one HTML file, which needs no network without --tiles. It has"
          + " the map with a timeline, the calls, and the findings of checks. It shows the real IDs and"
          + " places. To share a map, make it from a copy of the recording that --anonymize wrote.",
        parse: Parse.outputFile, store: { $0.map = $1 }
      ).writing(),
      .value(
        "import-cloud-logging", "FILE", .common,
        "read an export of Fleet Engine's logs\nThey are from Cloud Logging. FILE takes the place of a recording, or"
          + " is the server's side of the same calls. It is JSON: the output of gcloud logging read"
          + " --format=json, a download from the Logs Explorer, or a data set of fleet-debugger.",
        parse: Parse.text, store: { $0.cloudLog = $1 }
      ).excluding(["cloud-logging"]),
      .value(
        "cloud-logging", "PROJECT", .common,
        "fetch Fleet Engine's logs of this Cloud project\nThey take the place of FILE, or are the server's side of the same calls. --since and"
          + " --until are the period; with FILE, its time is the default."
          + " --resource, --trip or --timeline names what to fetch: all resources by default."
          + " With a trip come the logs of its vehicles, with a delivery vehicle those of its tasks, and with a task"
          + " those of its delivery vehicle. The account needs the role Logs Viewer (roles/logging.viewer).",
        parse: Parse.providerID, store: { $0.project = $1 }),
      .value(
        "save", "OUT", .common,
        "with --cloud-logging: write the entries to the new file OUT\n--import-cloud-logging reads OUT.",
        parse: Parse.outputFile, store: { $0.save = $1 }
      ).writing().inFullHelpOnly().requiring("cloud-logging"),
      .value(
        "export-cloud-logging", "OUT", .common,
        "write a file for fleet-debugger to OUT\nReplaces an earlier export, and no other file. - is stdout. OUT has the calls of Fleet Engine"
          + " in the format of Cloud Logging. After each response to GetTrip or GetDeliveryVehicle with a"
          + " location, tripwire adds an update of the vehicle with that location, unless OUT has real ones.",
        parse: Parse.outputFile, store: { $0.cloudCopy = $1 }
      ).writing().excluding(["map"]),
    ] + CallCriteria.options.map { $0.inside(\.selection) }
    + MapOptions.all.map { $0.requiring("map").inside(\.mapOptions) }
    + [SchemaOptions.protoset.inside(\.schema)]
    + serverOptions

  /// The options of the calls to Cloud Logging.
  private static let serverOptions: [Option<LogOptions>] = ServerOptions.all.filter {
    !ConnectionOptions.namesOfReplay.contains($0.long) && !$0.long.hasPrefix("record")
  }.map { option in
    (serverHelp[option.long].map(option.described) ?? option).inFullHelpOnly().inside(\.server)
  }

  /// The options whose defaults are those of Cloud Logging.
  private static let serverHelp = [
    "endpoint": "fetch the logs from this server\nDefault: \(LogReader.host):443.",
    "timeout":
      "stop after TIME, such as 500ms or 2m\nIncludes the time to wait for Google's quota. By default, each page"
      + " has a minute.",
  ]

  /// The options that need no call.
  private static let general = ["quiet", "version", "error-format", "color"]

  /// The options that exclude others, except with --cloud-logging: there, the others select what is fetched.
  private static let exclusions = [
    ("call", ["since", "until", "resource"]), ("explain", ["since", "until"]),
    ("locations", ["since", "until"]), ("trip", ["resource"]), ("timeline", ["resource"]),
  ]

  /// The views that write a file.
  fileprivate static let files = ["anonymize", "export-cloud-logging", "map"]

  /// The criteria that --cloud-logging does not change.
  fileprivate static let criteria = CallCriteria.options.map(\.long).filter {
    !["since", "until", "resource"].contains($0)
  }

  func contradiction(_ line: ParsedCommandLine) -> UsageError? {
    if let name = line.repeated.first {
      return UsageError(message: "\(name) is given more than once", hint: "pass \(name) once")
    }
    if !callsServer {
      let names = Self.serverOptions.map(\.long).filter { !Self.general.contains($0) }
      if let name = names.first(where: { line.sources[$0] == .option }) {
        return .requirement(of: "--\(name)", "--cloud-logging")
      }
      for (option, others) in Self.exclusions where line.sources[option] != nil {
        guard let other = others.first(where: { line.sources[$0] != nil }) else { continue }
        return .conflict("--\(option)", "--\(other)")
      }
    }
    if other != nil, cloudLog != nil, !line.operands.isEmpty {
      return UsageError(
        message: "--compare takes FILE or --import-cloud-logging, not both",
        options: ["compare", "import-cloud-logging"],
        hint: "remove FILE, or remove --import-cloud-logging")
    }
    if save == "-" {
      return UsageError(
        message: "--save - cannot be used: the calls are written to stdout", options: ["save"],
        hint: "pass the path of a file with --save")
    }
    let files = [("--export-cloud-logging", cloudCopy), ("--map", map), ("--anonymize", copy)]
    guard isJSON, let option = files.first(where: { $0.1 != nil })?.0 else { return nil }
    return .conflict(option, "-o json")
  }

  /// - Parameter hasBothSides: whether a recording and the log of the server are read.
  func view(
    _ types: MessageTypes, hasBothSides: Bool, on console: Console
  ) throws(ErrorReport) -> any LogView {
    if let timeline {
      return switch timelineForm {
      case .events:
        TimelineView(
          types, of: timeline, in: selection.interval(console.clock()),
          hasBothSides: hasBothSides, isJSON: isJSON, console)
      case .explanation:
        ExplanationView(types, of: timeline, limit: limit, isJSON: isJSON, console)
      case .locations: LocationPathView(types, of: timeline, isJSON: isJSON, console)
      }
    }
    if let call, !isJSON { return CallDetail(types, of: call, console) }
    let calls = CallSelection(selection, in: selection.interval(console.clock()))
    if copy != nil, calls.needsEnd {
      console.warn(
        "the copy contains only the selected calls, so --trip and --timeline show false gaps and errors for it;"
          + " select with --since, --until or --resource instead")
    }
    if isSummary { return CallSummary(types, calls, isJSON: isJSON, console) }
    let view: (any LogView)? =
      if let copy {
        try AnonymousCopy(
          types, to: copy, mapping: mapping, isSelection: selection.isGiven, console)
      } else if let map {
        RecordedMapView(
          types,
          on: try RecordedMapPage(
            to: map, mapOptions,
            observers: hasBothSides ? RecordedMapPage.bothSides : [],
            console), console)
      } else if let cloudCopy {
        try CloudLogCopy(
          types, to: cloudCopy, isSelection: selection.isGiven,
          isOfServer: hasServerLog && hasBothSides, console)
      } else if isJSON {
        EntryList(types, of: call, console)
      } else {
        nil
      }
    return view.map { selected($0, types, console) } ?? CallList(types, calls, console)
  }

  /// Returns a view that passes the selected calls to another one.
  func selected(
    _ view: any LogView, _ types: MessageTypes, _ console: Console
  ) -> any LogView {
    let calls = CallSelection(selection, in: selection.interval(console.clock()))
    return selection.isGiven ? SelectedCalls(calls, types, for: view, console) : view
  }
}

extension Option<LogOptions> {
  /// Returns the option for a timeline, which only --since and --until limit.
  fileprivate var ofTimeline: Option {
    excluding(LogOptions.criteria)
      .excluding(
        ["summary"] + LogOptions.files,
        hint: "pass --resource instead of --\(long) to select the calls of a resource")
  }
}

extension Parse {
  fileprivate static func outputFile(_ text: String) throws(InvalidValue) -> String {
    guard !text.isEmpty, !text.hasSuffix("/") else {
      throw InvalidValue("expected the path of a file")
    }
    return text
  }

  fileprivate static func timeline(
    _ text: String
  ) throws(InvalidValue) -> SelectedResource {
    guard !text.isEmpty, let resource = ResourceSelector(text) else {
      throw InvalidValue(
        "expected a name such as providers/PROJECT/tasks/TASK or tasks/TASK, or the ID of a trip")
    }
    return SelectedResource(option: "--timeline", text: text, resource: resource)
  }

  fileprivate static func staleLimit(_ text: String) throws(InvalidValue) -> StaleLimit {
    let parts = text.split(separator: ">", omittingEmptySubsequences: false)
    let names = ["stale"] + StaleCause.names
    guard parts.count == 2, names.contains(String(parts[0])) else {
      throw InvalidValue(
        "expected a condition such as stale>30s; before > is one of \(names.joined(separator: ", "))"
      )
    }
    let seconds = try duration(String(parts[1])) / .seconds(1)
    return StaleLimit(text: text, name: String(parts[0]), seconds: seconds)
  }

  fileprivate static func callNumber(_ text: String) throws(InvalidValue) -> Int {
    guard let number = Int(text), number > 0, text.first != "+" else {
      throw InvalidValue("expected the number of a call, 1 or higher")
    }
    return number
  }
}
