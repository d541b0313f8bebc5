package import Tripwire

extension FleetResource {
  package func journey(_ style: JourneyStyle = JourneyStyle()) -> Journey {
    switch self {
    case .trip(let trip): Journey(trip, style: style)
    case .vehicle(let vehicle): Journey(vehicle, style: style)
    case .deliveryVehicle(let vehicle): Journey(vehicle, style: style)
    case .task(let task): Journey(task, style: style)
    case .taskTrackingInfo(let info): Journey(info, style: style)
    }
  }
}
