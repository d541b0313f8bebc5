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
  var filter: String?
  var state: VehicleState?
  var isOnTrip = false
  var capacity: Int?
  var types: [Vehicle.VehicleType.Category] = []
  var place: LatLng?
  /// As it was typed, because its range depends on what is searched.
  var radius: String?
  var tripType: TripType?

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

  /// The radii that SearchVehicles takes, in meters.
  static let radiiOfVehicles = 400...10_000
  /// Up to half of the Earth's circumference.
  static let radii = 1...20_000_000
  /// The radius without --radius.
  static let radius = 5_000

  static let all: [Option<SearchOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print a table (default), json or name\nname is only the name of each result, for 'tripwire map -' and other"
          + " commands. json is one object on a line for each result (NDJSON), in"
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
      .value(
        "vehicle", "ID", .selection, "trips: find the trips of this vehicle",
        parse: { (text) throws(InvalidValue) in
          do throws(InvalidValue) {
            return try Parse.bareID("vehicleid")(text).id
          } catch {
            throw InvalidValue(error.reason, hint: "pass the ID of a vehicle: --vehicle v1")
          }
        }, store: { $0.vehicleID = $1 }),
      .flag(
        "active", .selection, "trips: find only trips that affect a driver's route",
        store: { $0.isActive = true }),
      .value(
        "filter", "EXPR", .selection,
        "find vehicles or tasks that match EXPR\nEXPR is a filter of AIP-160, such as 'state = OPEN' or"
          + " 'attributes.on_trip = \"false\"', sent unchanged.",
        parse: Parse.text, store: { $0.filter = $1 }),
      .value(
        "state", "STATE", .selection, "vehicles: find those in STATE, online or offline",
        choice: Choice(
          [("online", VehicleState.online), ("offline", .offline)],
          hint: "for vehicles, pass online or offline; for tasks, use --filter 'state = OPEN'"),
        store: { $0.state = $1 }),
      .flag(
        "on-trip", .selection, "vehicles: find only vehicles with trips",
        store: { $0.isOnTrip = true }),
      .value(
        "capacity", "N", .selection, "vehicles: find those with room for N passengers",
        parse: Parse.count(1...Int(Int32.max)), store: { $0.capacity = $1 }),
      .value(
        "vehicle-type", "TYPE", .selection,
        "vehicles: find those of this type (repeatable)\nTYPE is one of "
          + vehicleTypes.map(\.name).joined(separator: ", ") + ". Default: all.",
        choice: Choice(vehicleTypes.map { ($0.name, $0.category) }), store: { $0.types.append($1) }),
      .value(
        "near", "LAT,LNG", .selection,
        "find vehicles near this place\nFor vehicles, calls SearchVehicles instead of ListVehicles: the server"
          + " returns at most 50 that can pick up a trip here, sorted by the driving distance. For"
          + " delivery-vehicles, the server returns those in the smallest square around the circle of"
          + " --radius.",
        parse: Parse.place, store: { $0.place = $1 }),
      .value(
        "radius", "METERS", .selection,
        "with --near: search within METERS\nDefault: 5000. For vehicles, from 400 to 10000.",
        parse: Parse.text, store: { $0.radius = $1 }),
      .value(
        "trip-type", "TYPE", .selection,
        "with --near: find vehicles for an exclusive or shared trip\nDefault: exclusive.",
        choice: Choice([("exclusive", TripType.exclusive), ("shared", .shared)]),
        store: { $0.tripType = $1 }),
    ]
    + ProviderOption.all.map {
      $0.described("search this provider, a Cloud project\nUsed if providers/PROJECT is not given.")
        .inside(\.provider)
    } + ServerOptions.all.map { $0.inside(\.server) }
}

extension Parse {
  /// Parses a number in a range.
  static func count(_ range: ClosedRange<Int>) -> @Sendable (String) throws(InvalidValue) -> Int {
    { (text) throws(InvalidValue) in
      guard let number = Int(text), range.contains(number), text.first != "+" else {
        throw InvalidValue(
          "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }

  /// Parses `37.7749,-122.4194`, in degrees.
  static func place(_ text: String) throws(InvalidValue) -> LatLng {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      decimal(part.drop { $0 == " " })
    }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else {
      throw InvalidValue(
        "expected LAT,LNG in degrees, LAT from -90 to 90 and LNG from -180 to 180, such as 37.7749,-122.4194"
      )
    }
    var place = LatLng()
    (place.latitude, place.longitude) = (latitude, longitude)
    return place
  }

  /// Returns a number without an exponent; nil for the other forms of strtod(3), such as `0x1p3` and `inf`.
  private static func decimal(_ text: Substring) -> Double? {
    let isDecimal = text.utf8.allSatisfy { (48...57).contains($0) || "+-.".utf8.contains($0) }
    return isDecimal ? Double(text) : nil
  }
}
