import FleetEngineAPI
import WireProtobuf

/// The change of a vehicle by UpdateVehicle.
struct VehicleUpdate {
  /// The fields that Fleet Engine maintains (reference, `UpdateVehicleRequest.vehicle`).
  static let serverOwned: Set = [
    "current_route_segment_version", "current_trips", "name", "waypoints_version",
  ]
  /// The fields that CreateVehicle uses besides attributes (reference, `CreateVehicleRequest.vehicle`).
  static let created: FieldMask = [
    "vehicle_state", "supported_trip_types", "maximum_capacity", "vehicle_type", "license_plate",
    "last_location", "back_to_back_enabled",
  ]
  private static let inputOnly: Set = [
    "past_locations", "device_settings", "remaining_time_seconds",
  ]

  let given: Vehicle
  /// Valid, and without fields that Fleet Engine maintains.
  let mask: FieldMask

  /// Returns the changed vehicle.
  func apply(to stored: StoredVehicle, at now: Timestamp) throws(EngineError) -> StoredVehicle {
    let fields = mask.topLevelFields
    var changed = stored
    // A route to another stop ends, unless the request also has the new route.
    if fields.contains("waypoints") {
      changed.setStops(try stops(of: stored.vehicle), at: now)
    }
    var ignored = Self.inputOnly.union(["waypoints"])
    // Ignored without the route that it ends (reference, `current_route_segment_end_point`).
    if !fields.contains("current_route_segment") {
      ignored.insert("current_route_segment_end_point")
    }
    var vehicle = changed.vehicle
    vehicle.replaceFields(from: given, mask.without(ignored))
    vehicle.attributes = vehicle.attributes.map(\.completed)
    try check(vehicle)
    if fields.contains("last_location") { vehicle.lastLocation?.serverTime = now }
    // It takes precedence over the ETA (reference, `remaining_time_seconds`).
    if fields.contains("remaining_time_seconds") {
      vehicle.etaToFirstWaypoint = given.remainingTimeSeconds.map { now + .seconds($0) }
    }
    // A route that ends at another stop may be sent again.
    let version = stored.vehicle.currentRouteSegmentVersion
    let isSameRoute = vehicle.currentRouteSegment == stored.vehicle.currentRouteSegment
    vehicle.currentRouteSegmentVersion = isSameRoute ? version : now.after(version)
    changed.vehicle = vehicle
    return changed
  }

  private func check(_ vehicle: Vehicle) throws(EngineError) {
    var violations = Violations()
    violations.requireVehicle(vehicle)
    violations.requireLocation(vehicle.lastLocation, "vehicle.last_location")
    violations.requireRoute(vehicle.currentRouteSegment, "vehicle.current_route_segment")
    violations.require(
      (vehicle.remainingDistanceMeters ?? 0) >= 0, "vehicle.remaining_distance_meters",
      "must not be negative")
    violations.require(
      !mask.topLevelFields.contains("remaining_time_seconds")
        || (given.remainingTimeSeconds ?? 0) >= 0, "vehicle.remaining_time_seconds",
      "must not be negative")
    try violations.check()
  }

  /// The stops in the given order, with what the driver's app says about each.
  private func stops(of vehicle: Vehicle) throws(EngineError) -> [TripWaypoint] {
    guard vehicle.waypoints.ordered(as: given.waypoints) != nil else {
      throw .invalid(
        "vehicle.waypoints", "must contain all waypoints of the vehicle, and no others")
    }
    var violations = Violations()
    violations.requireTripsInOrder(of: vehicle.waypoints, given.waypoints, "vehicle.waypoints")
    try violations.check()
    return given.waypoints
  }
}
