package import FleetEngineAPI

/// A resource of Fleet Engine whose log entries are wanted.
package struct LoggedResource: Hashable, Sendable {
  /// Nil if the ID may be that of a resource of any kind.
  package let kind: ResourceKind?
  package let id: String

  /// Returns nil for a tracking ID, because Fleet Engine does not label entries with it.
  package init?(_ kind: ResourceKind?, id: String) {
    guard kind != .taskTrackingInfo else { return nil }
    self.kind = kind
    self.id = id
  }
}

extension ResourceKind {
  /// The type of the monitored resource of the entries.
  var loggedType: String {
    switch self {
    case .trip, .vehicle: "fleetengine.googleapis.com/Fleet"
    case .deliveryVehicle, .task, .taskTrackingInfo: "fleetengine.googleapis.com/DeliveryFleet"
    }
  }
}
