package import Tripwire

extension FleetResource {
  package func journey(_ style: JourneyStyle = JourneyStyle()) -> Journey {
    switch self {
    case .trip(let trip): Journey(trip, style: style)
    case .vehicle(let vehicle): Journey(vehicle, style: style)
    default: Journey(of: message, style)
    }
  }
}
