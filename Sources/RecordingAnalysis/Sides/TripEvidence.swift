package import Tripwire

/// The calls about a resource and its vehicle, as both sides recorded them. Times are in seconds since 1970,
/// by the clock of the server if it is known.
package struct TripEvidence {
  /// The end of a call.
  package struct Outcome: Equatable {
    /// Nil if the call was canceled or has no end.
    package var code: StatusCode?
    package var message = ""
    /// Whether the client generated the status.
    package var isLocal = false

    package var isFailure: Bool { code.map { $0.named != .ok } ?? false }
    /// Whether the client got no status from the server.
    package var isUnanswered: Bool { isLocal || code == nil }
  }

  /// A call that gets the resource.
  package struct Poll {
    package var call: Int
    package var start: Double
    package var end: Double
    package var outcome = Outcome()
    /// The location in the resource after the call.
    package var location: VehicleLocation?
    /// Whether the resource then had a vehicle, or a shipment a location.
    package var hasVehicle = true
  }

  /// A call of the driver's app that has a location of the vehicle.
  package struct Update {
    package var call: Int
    package var time: Double
    package var outcome = Outcome()
    package var sent: VehicleLocation
    /// The location in the response.
    package var accepted: VehicleLocation?
  }

  package var name = ""
  package var kind = ResourceKind.trip
  /// The calls of the client, in the order of their starts.
  package var polls: [Poll] = []
  /// The same calls of any client, as the server logged them.
  package var answers: [Poll] = []
  /// The updates of the vehicle, in the order of their times.
  package var updates: [Update] = []
  /// The times of the driver's other calls, which have no location, in their order.
  package var emptyUpdates: [Double] = []
  package var hasClient = false
  /// Whether the calls are those of several clients at the same time.
  package var isOfSeveralClients = false
  package var hasServer = false
  /// When the first call about the resource began.
  package var start = 0.0
  /// When the client had the last state of the resource; otherwise when the server had it, or the last call about it
  /// ended.
  package var end = 0.0
}

extension VehicleLocation {
  /// The error of a time of measurement, in seconds: servers round them to milliseconds.
  private static let timeTolerance = 0.001_5

  /// Whether two locations have the same time of measurement; nil if they have none of the same kind.
  func hasTime(of other: VehicleLocation) -> Bool? {
    for times in [(rawLocationTime, other.rawLocationTime), (updateTime, other.updateTime)] {
      guard case (let one?, let two?) = times else { continue }
      return (one.secondsSince1970 - two.secondsSince1970).magnitude < Self.timeTolerance
    }
    return nil
  }

  /// Whether the location was measured before another one, as far as is known.
  func precedes(_ other: VehicleLocation) -> Bool {
    guard let time = measuredTime, let otherTime = other.measuredTime else { return false }
    return time.secondsSince1970 < otherTime.secondsSince1970
  }

  /// Whether two locations are the same report of the vehicle. Logs and responses differ in other fields.
  func isSame(as other: VehicleLocation) -> Bool {
    if let isSame = hasTime(of: other) { return isSame }
    if let time = serverTime, let otherTime = other.serverTime { return time == otherTime }
    guard let place, let otherPlace = other.place else { return false }
    return distance(place, otherPlace) < 1
  }
}
