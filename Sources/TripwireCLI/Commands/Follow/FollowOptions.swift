import Tripwire

/// What `tripwire follow` was told.
struct FollowOptions: ServerCommandOptions {
  var server = ServerOptions()
  var view: TripView?
  var routeFormat: PolylineFormatType?
  var output: OutputFormat?
  var interval = TripModelOptions.defaultRefreshInterval
  var goal: TripStatus?
  var limit: Duration?
  var failsFast = false

  enum OutputFormat {
    case json
    case text
    case geojson
  }
}

extension FollowOptions {
  static let all: [Option<FollowOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "json: an object a line for each change, the default where stdout is no terminal; text: for"
          + " people, kept up to date on a terminal, where it is the default, but in lines with -v or"
          + " TERM=dumb; geojson: a FeatureCollection a line for each change, errors on stderr",
        parse: Parse.choice([("json", OutputFormat.json), ("text", .text), ("geojson", .geojson)]),
        store: { $0.output = $1 }),
      .value(
        "interval", "TIME", .request, "how often the server is asked, from 100ms; 5s if not given",
        parse: Parse.refreshInterval, store: { $0.interval = $1 }),
      .value(
        "until", "STATUS", .common,
        "stop when the trip has this status, or has passed it; with --for, exit with 4 if it has not by"
          + " then: "
          + awaited.map(\.0).joined(separator: ", "),
        parse: Parse.choice(awaited), store: { $0.goal = $1 }),
      .value(
        "for", "TIME", .common, "stop after this time, such as 10m", parse: Parse.duration,
        store: { $0.limit = $1 }),
      .flag(
        "fail-fast", .common, "stop at the first error of any trip instead of following on",
        store: { $0.failsFast = true }),
      .value(
        "view", "VIEW", .request, "which fields of a trip: sdk or journey-sharing-v1s",
        parse: Parse.view, store: { $0.view = $1 }),
      .value(
        "route-format", "FORMAT", .request,
        "how the routes of a trip are written: lat-lng-list or encoded-polyline",
        parse: Parse.routeFormat, store: { $0.routeFormat = $1 }),
    ]
    + ServerOptions.all.filter { $0.long != "retries" }.map { option in
      (option.long == "timeout" ? option.described(timeout) : option).inside(\.server)
    }

  private static let timeout =
    "how long the server may take for each answer, such as 500ms or 2m; 15s if not given"

  private static let awaited = TripStatus.allCases.filter { $0 != .unknown }.map {
    ($0.optionValue, $0)
  }
}

extension Parse {
  fileprivate static func refreshInterval(_ text: String) throws(BadValue) -> Duration {
    let interval = try duration(text)
    guard (.milliseconds(100) ... .seconds(86_400)).contains(interval) else {
      throw BadValue("wants a duration from 100ms to 24h")
    }
    return interval
  }
}
