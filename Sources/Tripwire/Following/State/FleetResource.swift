/// A resource of Fleet Engine that can be followed, of any kind. Indirect, because copies of large messages
/// take much code.
package indirect enum FleetResource: Sendable {
  case trip(Trip)
  case vehicle(Vehicle)
  case deliveryVehicle(DeliveryVehicle)
  case task(DeliveryTask)
  case taskTrackingInfo(TaskTrackingInfo)

  package var kind: ResourceKind {
    switch self {
    case .trip: .trip
    case .vehicle: .vehicle
    case .deliveryVehicle: .deliveryVehicle
    case .task: .task
    case .taskTrackingInfo: .taskTrackingInfo
    }
  }

  package var trip: Trip? {
    if case .trip(let trip) = self { trip } else { nil }
  }

  package var message: any FollowedResource {
    switch self {
    case .trip(let trip): trip
    case .vehicle(let vehicle): vehicle
    case .deliveryVehicle(let vehicle): vehicle
    case .task(let task): task
    case .taskTrackingInfo(let info): info
    }
  }

  /// Whether the server will not change the resource any more. Vehicles have no such state.
  package var isFinal: Bool { message.isFinal }

  /// The last location of the vehicle.
  package var lastLocation: VehicleLocation? {
    switch self {
    case .trip(let trip): trip.lastLocation
    case .vehicle(let vehicle): vehicle.lastLocation
    case .deliveryVehicle(let vehicle): vehicle.lastLocation.map(VehicleLocation.init)
    case .task(let task): task.journeySharingInfo?.lastLocation.map(VehicleLocation.init)
    case .taskTrackingInfo(let info): info.vehicleLocation.map(VehicleLocation.init)
    }
  }
}
