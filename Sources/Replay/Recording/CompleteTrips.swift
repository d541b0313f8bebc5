import Recording
import Tripwire
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
        let request = try? GetTripRequest(serializedBytes: call.requests[0]),
        let trip = try? Trip(serializedBytes: call.responses[0])
      else { return call }
      let whole = known[asked].map { trip.completed(from: $0, to: request) } ?? trip
      known[asked] = whole
      guard whole != trip else { return call }
      var completed = call
      completed.responses[0] = whole.serializedBytes()
      return completed
    }
  }
}

extension Trip {
  fileprivate func completed(from before: Trip, to request: GetTripRequest) -> Trip {
    var (whole, held, asked) = (self, before, GetTripRequest())
    for stamp in Self.stamps {
      // The recorded client may have had another version than the held one.
      let sent = request[keyPath: stamp.request]
      guard sent == held[keyPath: stamp.trip] else { continue }
      // If the vehicles differ, a part is unchanged only if the response has its stamp.
      guard vehicleId == held.vehicleId || sent == self[keyPath: stamp.trip] else { continue }
      asked[keyPath: stamp.request] = sent
    }
    held.vehicleId = vehicleId
    if !whole.complete(from: held, to: asked), whole.remainingWaypoints.isEmpty {
      // The recording lacks the new paths, so the stops keep their old ones.
      whole.remainingWaypoints = held.remainingWaypoints
    }
    return whole
  }

  private static var stamps:
    [(trip: KeyPath<Trip, Timestamp?>, request: WritableKeyPath<GetTripRequest, Timestamp?>)]
  {
    [
      (\.currentRouteSegmentVersion, \.currentRouteSegmentVersion),
      (\.currentRouteSegmentTrafficVersion, \.currentRouteSegmentTrafficVersion),
      (\.remainingWaypointsVersion, \.remainingWaypointsVersion),
      (\.remainingWaypointsRouteVersion, \.remainingWaypointsRouteVersion),
    ]
  }
}
