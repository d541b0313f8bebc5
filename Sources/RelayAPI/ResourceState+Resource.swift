import FleetEngineAPI
package import Tripwire

extension ResourceState.Resource {
  package var message: any FleetMessage {
    switch self {
    case .trip(let trip): trip
    case .vehicle(let vehicle): vehicle
    case .deliveryVehicle(let vehicle): vehicle
    case .task(let task): task
    case .taskTrackingInfo(let info): info
    }
  }
}

extension ResourceState {
  /// Whether the resource has reached its last status.
  package var isFinal: Bool { resource?.message.isFinal ?? false }

  package var requestOptions: TripRequestOptions {
    TripRequestOptions(view: view, routeFormat: routeFormatType)
  }
}

extension ResourceKind {
  /// The number of the field of a ``ResourceState``.
  var stateField: Int {
    switch self {
    case .trip: 2
    case .vehicle: 16
    case .deliveryVehicle: 17
    case .task: 18
    case .taskTrackingInfo: 19
    }
  }
}
