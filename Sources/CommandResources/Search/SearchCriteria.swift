package import CommandLine
import Tripwire

/// The options that select what a search finds.
package struct SearchCriteria: Sendable {
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

  package init() {}

  static let vehicleTypes: [(name: String, category: Vehicle.VehicleType.Category)] = [
    ("auto", .auto), ("taxi", .taxi), ("truck", .truck), ("two-wheeler", .twoWheeler),
    ("bicycle", .bicycle), ("pedestrian", .pedestrian),
  ]

  package static let all: [Option<SearchCriteria>] =
    [
      .value(
        "page-size", "N", .selection,
        "request N results at a time\nDefault: the server decides, or 'search' uses a --limit of at most 100.",
        parse: Parse.count(1...Int(Int32.max)), store: { $0.pageSize = $1 }
      ).inFullHelpOnly()
    ] + selection + NearOptions.all.map { $0.inside(\.near) }

  private static let selection: [Option<SearchCriteria>] = [
    .value(
      "vehicle", "ID", .selection, "trips: find the trips of this vehicle",
      parse: Parse.id("vehicleid", of: "a vehicle: --vehicle v1"), store: { $0.vehicleID = $1 }),
    .flag(
      "active", .selection, "trips: find only trips that affect a driver's route",
      store: { $0.isActive = true }),
    .value(
      "minimum-staleness", "TIME", .selection,
      "trips: find those not updated for TIME, such as 1h",
      parse: Parse.duration, store: { $0.minimumStaleness = $1 }),
    .value(
      "filter", "EXPR", .selection,
      "find vehicles or tasks that match EXPR\nEXPR is a filter of AIP-160, such as 'state = OPEN' or"
        + " 'attributes.on_trip = \"false\"', sent unchanged.",
      parse: Parse.text, store: { $0.filter = $1 }),
    .value(
      "attribute", "KEY:VALUE", .selection,
      "vehicles: find those with this attribute (repeatable)\nThe options for attributes cannot be used with"
        + " --filter.",
      parse: Parse.searchedAttribute, store: { $0.attributes.append($1) }
    ).inFullHelpOnly().excluding(["filter"]),
    .value(
      "one-of-attributes", "LIST", .selection,
      "vehicles: find those with an attribute of LIST (repeatable)\nLIST is KEY:VALUE|KEY:VALUE. With several"
        + " lists, a vehicle must have an attribute of each.",
      parse: Parse.attributes, store: { $0.oneOfAttributes.append($1) }
    ).inFullHelpOnly().excluding(["filter"]),
    .value(
      "one-of-attribute-sets", "LIST", .selection,
      "vehicles: find those with all attributes of LIST\nRepeatable. LIST is KEY:VALUE|KEY:VALUE. With several lists,"
        + " a vehicle must have all attributes of one of them.",
      parse: Parse.attributes, store: { $0.oneOfAttributeSets.append($1) }
    ).inFullHelpOnly().excluding(["filter"]),
    .value(
      "maximum-staleness", "TIME", .selection,
      "vehicles: find those with a location newer than TIME\nThe age counts from when the server received the"
        + " location. With --near, the server's default is 5m.",
      parse: Parse.duration, store: { $0.maximumStaleness = $1 }
    ).inFullHelpOnly(),
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
      parse: Parse.count(1...Int(Int32.max)), store: { $0.capacity = $1 }
    ).inFullHelpOnly(),
    .value(
      "vehicle-type", "TYPE", .selection,
      "vehicles: find those of this type (repeatable)\nTYPE is one of "
        + vehicleTypes.map(\.name).joined(separator: ", ") + ". Default: all.",
      choice: Choice(vehicleTypes.map { ($0.name, $0.category) }), store: { $0.types.append($1) }
    ).inFullHelpOnly(),
    .value(
      "trip-type", "TYPE", .selection,
      "vehicles: find those for exclusive or shared trips\nRepeatable without --near. With --near, the default"
        + " is exclusive, and shared requires --dropoff.",
      choice: Choice([("exclusive", TripType.exclusive), ("shared", .shared)]),
      store: { $0.tripTypes.append($1) }
    ).inFullHelpOnly(),
    .value(
      "viewport", "LAT,LNG,LAT,LNG", .selection,
      "find vehicles in this rectangle\nThe southwest corner is first, then the northeast corner. For vehicles"
        + " and delivery-vehicles.",
      parse: Parse.viewport, store: { $0.viewport = $1 }
    ).inFullHelpOnly().excluding(["near"]),
  ]
}
