/// The fields that identify a stop across responses.
package struct StopIdentity: Sendable, Equatable {
  /// Unknown for a stop of deliveries.
  package let type: WaypointType
  /// The tasks at a stop of deliveries.
  package let taskIDs: [String]
  /// In 10^-6 degrees, rounded.
  let place: LatLng?
  let placeID: String
  package let tripID: String

  package init(_ stop: TripWaypoint) {
    type = stop.waypointType
    place = stop.location?.point?.inMicrodegrees
    placeID = stop.location?.terminalPointId?.value ?? ""
    tripID = stop.tripId
    taskIDs = []
  }

  init(_ stop: VehicleStop) {
    type = .unknown
    place = stop.plannedLocation?.point?.inMicrodegrees
    placeID = ""
    tripID = ""
    taskIDs = stop.tasks.map(\.taskId)
  }
}

extension LatLng {
  fileprivate var inMicrodegrees: LatLng {
    LatLng(latitude: (latitude * 1e6).rounded(), longitude: (longitude * 1e6).rounded())
  }
}
