import FleetEngineAPI
import Tripwire
import WireProtobuf

/// The change of a trip by UpdateTrip.
struct TripUpdate {
  /// The fields that Fleet Engine maintains (reference, `UpdateTripRequest.trip`).
  static let serverOwned: Set = [
    "current_route_segment", "current_route_segment_end_point", "current_route_segment_traffic",
    "current_route_segment_traffic_version", "current_route_segment_version", "dropoff_time",
    "eta_to_first_waypoint", "intermediate_destinations_version", "last_location",
    "last_location_snappable", "name", "pickup_time", "remaining_distance_meters",
    "remaining_time_to_first_waypoint", "remaining_waypoints",
    "remaining_waypoints_route_version", "remaining_waypoints_version", "route", "view",
  ]
  static let immutable: Set = ["number_of_passengers"]

  let name: ResourceName
  let given: Trip
  /// Valid, and without fields that are immutable or that Fleet Engine maintains.
  let mask: FieldMask

  /// Returns the changed trip.
  func apply(to trip: Trip, at now: Timestamp) throws(EngineError) -> Trip {
    let fields = mask.topLevelFields
    var changed = trip
    changed.replaceFields(from: given, mask.without(["vehicle_waypoints"]))
    // Ignored without destinations (reference, `intermediate_destination_index`).
    let hasDestinations = !changed.intermediateDestinations.isEmpty
    if !hasDestinations { changed.intermediateDestinationIndex = 0 }
    var violations = Violations()
    violations.requireTrip(changed)
    violations.require(
      !fields.contains("trip_status")
        || changed.tripStatus != .unknown && changed.tripStatus.name != nil, "trip.trip_status",
      "must be a known status")
    violations.require(
      !hasDestinations || !fields.contains("intermediate_destination_index")
        || changed.intermediateDestinations.indices.contains(
          Int(changed.intermediateDestinationIndex)),
      "trip.intermediate_destination_index", "is not the index of a destination")
    try violations.check()
    try checkStatus(of: trip, to: changed)
    if changed.intermediateDestinations != trip.intermediateDestinations {
      changed.intermediateDestinationsVersion =
        now.after(trip.intermediateDestinationsVersion)
    }
    noteTimes(of: &changed, after: trip.tripStatus, at: now)
    return changed
  }

  private func checkStatus(of trip: Trip, to changed: Trip) throws(EngineError) {
    guard trip.tripStatus.canChange(to: changed.tripStatus) else {
      throw .failedPrecondition(
        "TRIP_STATUS", name,
        "cannot change from \(trip.tripStatus.name ?? "?") to \(changed.tripStatus.name ?? "?")")
    }
    guard !changed.isBefore(trip) else {
      throw .failedPrecondition(
        "TRIP_STATUS", name, "has passed the destination \(changed.intermediateDestinationIndex)")
    }
    guard !trip.tripStatus.isFinal || trip.vehicleId == changed.vehicleId else {
      throw .failedPrecondition(
        "TRIP_STATUS", name, "is \(trip.tripStatus.name ?? "?"), and keeps its vehicle")
    }
    let isOnTheWay =
      changed.tripStatus != trip.tripStatus
      && changed.tripStatus == .enrouteToIntermediateDestination
    if isOnTheWay || mask.topLevelFields.contains("intermediate_destination_index"),
      let version = given.intermediateDestinationsVersion,
      version != trip.intermediateDestinationsVersion
    {
      throw .failedPrecondition(
        "INTERMEDIATE_DESTINATIONS_VERSION", name,
        "intermediate_destinations_version is not that of Fleet Engine")
    }
  }

  /// Replaces the estimates by the actual times when the vehicle passes a stop.
  private func noteTimes(of trip: inout Trip, after last: TripStatus, at now: Timestamp) {
    if trip.tripStatus.hasPickedUp, !last.hasPickedUp { trip.pickupTime = now }
    if trip.tripStatus == .complete, last != .complete { trip.dropoffTime = now }
  }
}
