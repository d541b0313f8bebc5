package import Tripwire
package import WireProtobuf

/// The place and the times of a location, by which reports of a vehicle are compared. A recording may have many of them,
/// and a `VehicleLocation` has several times the size.
package struct LocationReport: Equatable {
  package var place: LatLng?
  var updateTime: Timestamp?
  var rawLocationTime: Timestamp?
  package var serverTime: Timestamp?

  package init(_ location: VehicleLocation) {
    place = location.place
    updateTime = location.updateTime
    rawLocationTime = location.rawLocationTime
    serverTime = location.serverTime
  }

  /// When the vehicle measured it, by the clock of the vehicle.
  package var measuredTime: Timestamp? { updateTime ?? rawLocationTime }
}

extension LocationReport {
  /// The error of a time of measurement, in seconds: servers round them to milliseconds.
  private static let timeTolerance = 0.001_5

  /// Whether two locations have the same time of measurement; nil if they have none of the same kind.
  func hasTime(of other: LocationReport) -> Bool? {
    for times in [(rawLocationTime, other.rawLocationTime), (updateTime, other.updateTime)] {
      guard case (let one?, let two?) = times else { continue }
      return (one.secondsSince1970 - two.secondsSince1970).magnitude < Self.timeTolerance
    }
    return nil
  }

  /// Whether the location was measured before another one, as far as is known.
  func precedes(_ other: LocationReport) -> Bool { seconds(before: other) > 0 }

  /// How long before another location it was measured, in seconds; 0 if it was not, as far as is known.
  func seconds(before other: LocationReport) -> Double {
    guard let time = measuredTime, let otherTime = other.measuredTime else { return 0 }
    return max(0, otherTime.secondsSince1970 - time.secondsSince1970)
  }

  /// Whether two locations are the same report of the vehicle. Logs and responses differ in other fields.
  func isSame(as other: LocationReport) -> Bool {
    if let isSame = hasTime(of: other) { return isSame }
    if let time = serverTime, let otherTime = other.serverTime { return time == otherTime }
    guard let place, let otherPlace = other.place else { return false }
    return distance(place, otherPlace) < 1
  }
}
