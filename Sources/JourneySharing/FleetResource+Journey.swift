package import Tripwire

extension FleetResource {
  /// The contents of a map of the resource. Nil for a vehicle of trips, which has no map.
  package func journey(_ style: JourneyStyle = JourneyStyle()) -> Journey? {
    switch self {
    case .trip(let trip): Journey(trip, style: style)
    case .vehicle: nil
    case .deliveryVehicle(let vehicle): Journey(vehicle, style: style)
    case .task(let task): Journey(task, style: style)
    case .taskTrackingInfo(let info): Journey(info, style: style)
    }
  }
}
