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
    var (whole, held) = (self, before)
    // The library requests the whole trip if the vehicle is another one; the recorded client may not have.
    held.vehicleId = vehicleId
    if !whole.complete(from: held, to: request), whole.remainingWaypoints.isEmpty {
      // The new paths to the same stops are not known: better the old ones than no stops.
      whole.remainingWaypoints = held.remainingWaypoints
    }
    return whole
  }
}
