package import WireProtobuf

/// A resource of Fleet Engine that can be followed, of any kind. Indirect, because copies of large messages
/// take much code.
package indirect enum FleetResource: Sendable {
  case trip(Trip)
  case vehicle(Vehicle)
  case deliveryVehicle(DeliveryVehicle)
  case task(DeliveryTask)
  case taskTrackingInfo(TaskTrackingInfo)

  package var message: any FleetMessage {
    switch self {
    case .trip(let trip): trip
    case .vehicle(let vehicle): vehicle
    case .deliveryVehicle(let vehicle): vehicle
    case .task(let task): task
    case .taskTrackingInfo(let info): info
    }
  }

  package var kind: ResourceKind { type(of: message).kind }
  package var name: String { message.name }

  package var trip: Trip? {
    if case .trip(let trip) = self { trip } else { nil }
  }

  /// Whether the server will not change the resource any more. Vehicles have no such state.
  package var isFinal: Bool { message.isFinal }

  /// - Parameter time: when the resource was received. Durations count from it.
  package func facts(at time: Timestamp?) -> ResourceFacts { message.facts(at: time) }

  /// Returns the JSON names of the fields that differ from those of an older state.
  ///
  /// - Parameter old: the older state; nil or another kind counts as an empty resource.
  package func changedFields(since old: FleetResource?) -> [String] {
    message.changedFields(since: old)
  }

  /// The last location of the vehicle.
  package var lastLocation: VehicleLocation? { message.locationOfVehicle }
}
