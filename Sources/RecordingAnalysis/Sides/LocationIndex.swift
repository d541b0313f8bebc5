import Tripwire
import WireProtobuf

/// Finds values by the location that they belong to. Locations with the time of the measurement are told apart by
/// it, others by the time of the server.
struct LocationIndex<Value> {
  private var byMeasuredTime: [Timestamp: [Value]] = [:]
  private var byServerTime: [Timestamp: [Value]] = [:]
  /// Each location once, in the order in which they were added.
  private(set) var locations: [VehicleLocation] = []

  mutating func add(_ value: Value, at location: VehicleLocation) {
    if self[location].isEmpty { locations.append(location) }
    if let time = location.measuredTime { byMeasuredTime[time, default: []].append(value) }
    if let time = location.serverTime { byServerTime[time, default: []].append(value) }
  }

  /// The values of a location, in the order in which they were added.
  subscript(location: VehicleLocation) -> [Value] {
    if let time = location.measuredTime { return byMeasuredTime[time] ?? [] }
    return location.serverTime.flatMap { byServerTime[$0] } ?? []
  }
}
