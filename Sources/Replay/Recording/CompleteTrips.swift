import FleetEngineAPI
import Recording
import WireGRPC
import WireProtobuf

/// Adds to the responses of GetTrip the fields that they omitted because the client had them already.
///
/// Clients that send no version stamps, or that ask less often than the recorded client did, would
/// never get those fields.
enum CompleteTrips {
  static func completed(_ calls: [RecordedCall]) -> [RecordedCall] {
    var known: [[UInt8]: Trip] = [:]
    return calls.map { call in
      guard call.method == TripServiceMethods.getTrip.path, call.requests.count == 1,
        !call.requestIsTruncated, call.responses.count == 1, !call.responseIsTruncated,
        let asked = RequestReader.form(call.method, call.requests[0])?.canonical,
        let trip = try? Trip(serializedBytes: call.responses[0])
      else { return call }
      var whole = trip
      if let before = known[asked] { whole.fill(from: before) }
      known[asked] = whole
      guard whole != trip else { return call }
      var completed = call
      completed.responses[0] = whole.serializedBytes()
      return completed
    }
  }
}

extension Trip {
  /// Copies missing fields whose version stamp has not changed.
  fileprivate mutating func fill(from before: Trip) {
    if let version = currentRouteSegmentVersion, version == before.currentRouteSegmentVersion,
      route.isEmpty, currentRouteSegment.isEmpty
    {
      route = before.route
      currentRouteSegment = before.currentRouteSegment
    }
    if let version = currentRouteSegmentTrafficVersion,
      version == before.currentRouteSegmentTrafficVersion, currentRouteSegmentTraffic == nil
    {
      currentRouteSegmentTraffic = before.currentRouteSegmentTraffic
    }
    if let version = remainingWaypointsVersion, version == before.remainingWaypointsVersion,
      remainingWaypoints.isEmpty
    {
      remainingWaypoints = before.remainingWaypoints
    }
    guard let version = remainingWaypointsRouteVersion,
      version == before.remainingWaypointsRouteVersion
    else { return }
    for (index, old) in zip(remainingWaypoints.indices, before.remainingWaypoints) {
      remainingWaypoints[index].fill(from: old)
    }
  }
}

extension TripWaypoint {
  /// Copies the route to a stop if the stop is the same and has none.
  fileprivate mutating func fill(from before: TripWaypoint) {
    guard pathToWaypoint.isEmpty, encodedPathToWaypoint.isEmpty, trafficToWaypoint == nil,
      tripId == before.tripId, waypointType == before.waypointType, location == before.location
    else { return }
    pathToWaypoint = before.pathToWaypoint
    encodedPathToWaypoint = before.encodedPathToWaypoint
    trafficToWaypoint = before.trafficToWaypoint
  }
}
