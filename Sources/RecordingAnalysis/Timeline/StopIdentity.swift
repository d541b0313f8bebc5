package import Tripwire
import WireProtobuf

/// The properties that identify a stop.
package struct StopIdentity: Equatable {
  /// Unknown for a stop of deliveries.
  package let type: WaypointType
  /// The tasks at a stop of deliveries.
  package let taskIDs: [String]
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
    taskIDs = []
  }

  init(_ stop: VehicleStop) {
    type = .unknown
    latitude = stop.plannedLocation?.point.map { ($0.latitude * 1e6).rounded() }
    longitude = stop.plannedLocation?.point.map { ($0.longitude * 1e6).rounded() }
    placeID = ""
    tripID = ""
    taskIDs = stop.tasks.map(\.taskId)
  }
}
