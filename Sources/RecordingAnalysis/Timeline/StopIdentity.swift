import Tripwire

/// The properties that identify a stop.
struct StopIdentity: Equatable {
  let type: WaypointType
  /// In 10^-6 degrees, rounded.
  let latitude: Double?
  let longitude: Double?
  let placeID: String
  let tripID: String

  init(_ stop: TripWaypoint) {
    type = stop.waypointType
    latitude = stop.location?.point.map { ($0.latitude * 1e6).rounded() }
    longitude = stop.location?.point.map { ($0.longitude * 1e6).rounded() }
    placeID = stop.location?.terminalPointId?.value ?? ""
    tripID = stop.tripId
  }
}
