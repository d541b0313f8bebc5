import RecordingAnalysis
import Tripwire

/// The options of `tripwire log`.
struct LogOptions: Sendable {
  var schema = SchemaOptions()
  var selection = CallCriteria()
  var isJSON = false
  var isFollowed = false
  var isSummary = false
  var call: Int?
  /// The name or the ID of a trip.
  var trip: String?
  /// The path of the anonymous copy.
  var copy: String?
  /// The path of the list of its replacements.
  var mapping: String?
  /// The path of the page with a map.
  var map: String?
  var mapOptions = MapOptions()
  /// The path of an export of Cloud Logging to read.
  var cloudLog: String?
  /// The path of the file to write in that form.
  var cloudCopy: String?

  static let all: [Option<LogOptions>] =
    [
      .flag(
        "json", .common,
        "print one JSON object per line\nEach is a grpc.binarylog.v1.GrpcLogEntry with its message"
          + " decoded and the number of its call. Times are in UTC.",
        store: { $0.isJSON = true }),
      .flag(
        "follow", short: "f", .common,
        "keep reading as FILE grows, until Ctrl-C\nContinues when FILE is rotated. Works for the"
          + " list, --json and --trip.",
        store: { $0.isFollowed = true }),
      .flag(
        "summary", .common,
        "print one line per method\nShows the number of calls, the first and last start, p50,"
          + " p95, p99 and maximum latency, and the statuses. With --json, one object per line.",
        store: { $0.isSummary = true }),
      .value(
        "call", "N", .common, "show call N in full, as numbered in the list",
        parse: Parse.callNumber,
        store: { $0.call = $1 }),
      .value(
        "trip", "NAME", .common,
        "print the timeline of a trip, by its name or ID\nShows changes of status, vehicle,"
          + " stops, route, and ETA (by a minute or more); errors and how long they lasted; gaps"
          + " of three times the usual response interval or more; and vehicles without a new location"
          + " for 30s. --since and --until limit the time. With --json, one object per line.",
        parse: Parse.text, store: { $0.trip = $1 }),
      .value(
        "anonymize", "OUT", .common,
        "write an anonymized copy to the new file OUT\nKeeps the calls of Fleet Engine, with IDs"
          + " replaced and places moved consistently, and omits unknown data, which stderr lists."
          + " The copy keeps times and the shapes of routes: a map may still identify them.",
        parse: Parse.newFile, store: { $0.copy = $1 }),
      .value(
        "mapping", "FILE", .common,
        "write the replaced IDs to the new file FILE\nFor --anonymize: one JSON object per line."
          + " Keep FILE private.",
        parse: Parse.newFile, store: { $0.mapping = $1 }),
      .value(
        "map", "OUT", .common,
        "write a page with a map to the new file OUT\nOne HTML file, which needs no network: the map with"
          + " its timeline, the calls, and checks on the recording. It contains the trips as recorded;"
          + " --anonymize makes a copy that may be shared.",
        parse: Parse.newFile, store: { $0.map = $1 }),
      .value(
        "import-cloud-logging", "FILE", .common,
        "read Fleet Engine's logs in Cloud Logging, not a recording\nFILE is JSON: the output of gcloud"
          + " logging read --format=json, of the Logs Explorer, or a data set of fleet-debugger.",
        parse: Parse.text, store: { $0.cloudLog = $1 }),
      .value(
        "export-cloud-logging", "OUT", .common,
        "write a new file OUT that fleet-debugger can load\nHas the calls of Fleet Engine as Cloud"
          + " Logging has them, and an update of the vehicle for each trip with a location.",
        parse: Parse.newFile, store: { $0.cloudCopy = $1 }),
    ] + CallCriteria.options.map { $0.inside(\.selection) }
    + MapOptions.all.map { $0.inside(\.mapOptions) }
    + SchemaOptions.all.map { $0.inside(\.schema) }

  /// An error if options contradict each other.
  var contradiction: UsageError? {
    let views = [
      ("--call", call != nil), ("--trip", trip != nil), ("--summary", isSummary),
      ("--anonymize", copy != nil), ("--export-cloud-logging", cloudCopy != nil),
      ("--map", map != nil),
    ].filter(\.1).map(\.0)
    if views.count > 1 {
      return UsageError(
        message: "\(views[0]) cannot be used with \(views[1])",
        hint: trip == nil ? nil : "use --resource to select the calls of a trip")
    }
    if isFollowed, let view = views.first, view != "--trip" {
      return UsageError(message: "--follow cannot be used with \(view)")
    }
    if isFollowed, cloudLog != nil {
      return UsageError(message: "--follow cannot be used with --import-cloud-logging")
    }
    if cloudCopy != nil, isJSON {
      return UsageError(message: "--export-cloud-logging cannot be used with --json")
    }
    if mapping != nil, copy == nil {
      return UsageError(message: "--mapping requires --anonymize")
    }
    if map != nil, isJSON { return UsageError(message: "--map cannot be used with --json") }
    if map == nil, mapOptions.isGiven {
      return UsageError(message: "--tiles, --attribution and --leaflet require --map")
    }
    if let error = mapOptions.contradiction { return error }
    if copy != nil, isJSON || !schema.protosets.isEmpty {
      return UsageError(
        message: "--anonymize cannot be used with \(isJSON ? "--json" : "--protoset")")
    }
    let isContrary = trip != nil ? selection.choosesCalls : call != nil && selection.isGiven
    if isContrary, let view = views.first {
      return UsageError(
        message: "\(view) cannot be used with options that select calls, such as --errors")
    }
    return nil
  }

  func view(_ types: MessageTypes, on console: Console) throws(ErrorReport) -> any LogView {
    if let trip {
      let interval = selection.interval(console.clock())
      return TripTimelineView(
        types, of: trip, in: interval, isOfServer: cloudLog != nil, isJSON: isJSON, console)
    }
    if let call, !isJSON { return CallDetail(types, of: call, console) }
    let calls = CallSelection(selection, console.clock())
    if copy != nil, calls.needsEnd {
      console.warn(
        "the copy lacks unselected calls: --trip will show false errors and gaps in it; to avoid"
          + " that, select with --since, --until or --resource"
      )
    }
    if isSummary { return CallSummary(types, calls, isJSON: isJSON, console) }
    let view: (any LogView)? =
      if let copy {
        try AnonymousCopy(
          types, to: copy, mapping: mapping, isSelection: selection.isGiven, console)
      } else if let map {
        try RecordedMapView(types, to: map, mapOptions, isOfServer: cloudLog != nil, console)
      } else if let cloudCopy {
        try CloudLogCopy(types, to: cloudCopy, console)
      } else if isJSON {
        EntryList(types, of: call, console)
      } else {
        nil
      }
    guard let view else { return CallList(types, calls, console) }
    return selection.isGiven ? SelectedCalls(calls, types, for: view, console) : view
  }
}

extension Parse {
  fileprivate static func newFile(_ text: String) throws(BadValue) -> String {
    guard text != "-" else { throw BadValue("expected a new file, not stdout") }
    return text
  }

  fileprivate static func callNumber(_ text: String) throws(BadValue) -> Int {
    guard let number = Int(text), number > 0, text.first != "+" else {
      throw BadValue("expected the number of a call, 1 or higher")
    }
    return number
  }
}
