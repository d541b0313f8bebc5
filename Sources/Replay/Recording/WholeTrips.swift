import FleetEngineAPI
import Recording
import WireGRPC
import WireProtobuf

/// Answers about trips, each with what it left out because the one who asked had it already.
///
/// That is for who asks otherwise than the one who was recorded: without stamps, or less often than the
/// answers changed, and would never get what only those between have.
enum WholeTrips {
  static func made(of calls: [RecordedCall]) -> [RecordedCall] {
    var known: [[UInt8]: Trip] = [:]
    return calls.map { call in
      guard call.method == TripServiceMethods.getTrip.path, call.requests.count == 1,
        !call.requestIsTruncated, call.responses.count == 1, !call.answerIsTruncated,
        let asked = RequestReader.form(call.method, call.requests[0].bytes)?.canonical,
        let trip = try? Trip(serializedBytes: call.responses[0].bytes)
      else { return call }
      var whole = trip
      if let before = known[asked] { whole.fill(from: before) }
      known[asked] = whole
      guard whole != trip else { return call }
      var completed = call
      completed.responses[0].bytes = whole.serializedBytes()
      return completed
    }
  }
}

extension Trip {
  /// Takes what it lacks, and whose version stamp is the same as before.
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
  /// Takes the way there, if it is the same stop and has none.
  fileprivate mutating func fill(from before: TripWaypoint) {
    guard pathToWaypoint.isEmpty, encodedPathToWaypoint.isEmpty, trafficToWaypoint == nil,
      tripId == before.tripId, waypointType == before.waypointType, location == before.location
    else { return }
    pathToWaypoint = before.pathToWaypoint
    encodedPathToWaypoint = before.encodedPathToWaypoint
    trafficToWaypoint = before.trafficToWaypoint
  }
}
