package import Tripwire

/// The remaining stops of a resource, as far as it has them.
package enum RemainingStops: Equatable {
  /// The stops of a trip, or of a vehicle of trips.
  case waypoints([StopIdentity])
  /// The stops of a delivery vehicle, or those before a task.
  case segments([SegmentStop])
  /// The stops before a shipment; nil if the recipient may not see their number.
  case count(Int32?)

  /// A stop of deliveries, with its state.
  package struct SegmentStop: Equatable {
    package let identity: StopIdentity
    package let state: VehicleStop.State
  }

  /// Nil if it is unknown.
  package var count: Int? {
    switch self {
    case .waypoints(let stops): stops.count
    case .segments(let stops): stops.count
    case .count(let count): count.map(Int.init)
    }
  }
}
