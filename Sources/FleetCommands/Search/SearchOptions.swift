import CommandCalls
import CommandLine
import CommandShell
import Tripwire

/// The options of `tripwire search`.
struct SearchOptions: ServerCommandOptions {
  var server = ServerOptions()
  var provider = ProviderOption()
  /// The default depends on ``fields``.
  var output: OutputFormat?
  var fields: [String]?
  /// The maximum number of results; nil returns all.
  var limit: Int?
  var pageSize: Int?
  var vehicleID: String?
  var isActive = false
  var minimumStaleness: Duration?
  var maximumStaleness: Duration?
  var filter: String?
  /// The attributes that vehicles must have.
  var attributes: [AttributeList] = []
  var oneOfAttributes: [AttributeList] = []
  var oneOfAttributeSets: [AttributeList] = []
  var state: VehicleState?
  var isOnTrip = false
  var capacity: Int?
  var types: [Vehicle.VehicleType.Category] = []
  var tripTypes: [TripType] = []
  var viewport: Viewport?
  var near = NearOptions()

  enum OutputFormat {
    case table
    /// The same as `table`.
    case text
    case json
    case name
  }

  var isTable: Bool { [.table, .text].contains(output ?? (fields == nil ? .table : .json)) }
}

extension SearchOptions {
  static let vehicleTypes: [(name: String, category: Vehicle.VehicleType.Category)] = [
    ("auto", .auto), ("taxi", .taxi), ("truck", .truck), ("two-wheeler", .twoWheeler),
    ("bicycle", .bicycle), ("pedestrian", .pedestrian),
  ]

  static let all: [Option<SearchOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print a table (default), json or name\nname prints only the names, one per line, for 'tripwire map -' and"
          + " other commands. json is one object on a line for each result (NDJSON), in"
          + " protobuf's JSON format. text means table, and ndjson means json.",
        choice: Choice([
          ("table", OutputFormat.table), ("text", .text), ("json", .json), ("ndjson", .json),
          ("name", .name),
        ]),
        store: { $0.output = $1 }),
      ResponseFields.option { $0.fields = $1 },
      .value(
        "limit", "N", .selection, "stop after N results",
        parse: Parse.count(1...Int(Int32.max)), store: { $0.limit = $1 }),
      .value(
        "page-size", "N", .selection,
        "request N results at a time\nDefault: the value of --limit if it is at most 100. Otherwise the server decides.",
        parse: Parse.count(1...Int(Int32.max)), store: { $0.pageSize = $1 }),
    ] + ofTrips + filters + ofVehicles + NearOptions.all.map { $0.inside(\.near) }
    + ProviderOption.all.map {
      $0.described("search this provider, a Cloud project\nUsed if providers/PROJECT is not given.")
        .inside(\.provider)
    } + ServerOptions.all.map { $0.inside(\.server) }
}
