package import FleetEngineAPI
package import FleetEngineDeliveryAPI
package import Tripwire

/// A resource that a relay shares.
package protocol RelayedResource: FollowedResource {
  /// The number of its field in a ``ResourceState``.
  static var stateField: Int { get }
  /// Returns the options of the request for the resource of a state.
  static func options(of state: ResourceState) -> RequestOptions
}

extension RelayedResource {
  package static func options(of state: ResourceState) -> RequestOptions { RequestOptions() }
}

extension Trip: RelayedResource {
  package static var stateField: Int { 2 }
  package static func options(of state: ResourceState) -> TripRequestOptions {
    TripRequestOptions(view: state.view, routeFormat: state.routeFormatType)
  }
}

extension Vehicle: RelayedResource {
  package static var stateField: Int { 16 }
}

extension DeliveryVehicle: RelayedResource {
  package static var stateField: Int { 17 }
}

extension DeliveryTask: RelayedResource {
  package static var stateField: Int { 18 }
}

extension TaskTrackingInfo: RelayedResource {
  package static var stateField: Int { 19 }
}

extension ResourceState.Resource {
  package var message: any RelayedResource {
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
}
