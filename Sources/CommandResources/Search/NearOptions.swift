import CommandLine
import Tripwire

/// The options of `tripwire search` about a place.
struct NearOptions: Sendable {
  var place: LatLng?
  /// As it was typed, because its range depends on what is searched.
  var radius: String?
  var dropoff: LatLng?
  var order: SearchVehiclesRequest.VehicleMatchOrder?
  var currentTrips: SearchVehiclesRequest.CurrentTripsPresent?
  var isBackToBack = false
  var tripID: String?

  /// The radii that SearchVehicles takes, in meters.
  static let radiiOfVehicles = 400...10_000
  /// Up to half of the Earth's circumference.
  static let radii = 1...20_000_000
  private static let defaultRadius = 5_000

  func meters(in range: ClosedRange<Int>) throws(UsageError) -> Int {
    guard let radius else { return Self.defaultRadius }
    return try mapError(Parse.count(range)(radius)) { (error: InvalidValue) in
      UsageError(error, in: radius, of: "--radius ")
    }
  }

  static let all: [Option<NearOptions>] = [
    .value(
      "near", "LAT,LNG", .selection,
      "find vehicles near this place\nFor vehicles, calls SearchVehicles instead of ListVehicles: the server"
        + " returns at most 50 that can pick up a trip here. For delivery-vehicles, the server returns those in"
        + " the smallest square around the circle of --radius.",
      parse: Parse.place, store: { $0.place = $1 }),
    .value(
      "radius", "METERS", .selection,
      "with --near: search within METERS\nDefault: 5000. For vehicles, from 400 to 10000.",
      parse: Parse.text, store: { $0.radius = $1 }),
    .value(
      "dropoff", "LAT,LNG", .selection,
      "with --near: set the drop-off of the trip\nRequired for shared trips.",
      parse: Parse.place, store: { $0.dropoff = $1 }
    ).inFullHelpOnly(),
    .value(
      "order-by", "ORDER", .selection,
      "with --near: sort by ORDER\nORDER is pickup-distance (the driving distance, default), pickup-eta,"
        + " pickup-straight-distance, dropoff-eta (requires --dropoff) or cost (configured for the project).",
      choice: Choice([
        ("pickup-distance", SearchVehiclesRequest.VehicleMatchOrder.pickupPointDistance),
        ("pickup-eta", .pickupPointEta), ("pickup-straight-distance", .pickupPointStraightDistance),
        ("dropoff-eta", .dropoffPointEta), ("cost", .cost),
      ]), store: { $0.order = $1 }
    ).inFullHelpOnly(),
    .value(
      "current-trips", "WHICH", .selection,
      "with --near: find vehicles with current trips: any or none\nany includes vehicles with up to 5 trips and 10"
        + " stops, and none only vehicles without trips. Default: any for shared trips, otherwise none.",
      choice: Choice([
        ("any", SearchVehiclesRequest.CurrentTripsPresent.any), ("none", .noneValue),
      ]), store: { $0.currentTrips = $1 }
    ).inFullHelpOnly(),
    .flag(
      "back-to-back", .selection, "with --near: also find vehicles on the way to a drop-off",
      store: { $0.isBackToBack = true }
    ).inFullHelpOnly().excluding(["current-trips"]),
    .value(
      "trip", "ID", .selection, "with --near: find vehicles for this trip",
      parse: Parse.id("tripid", of: "a trip: --trip t1"), store: { $0.tripID = $1 }),
  ]
}
