import Tripwire

/// A command that changes a resource. The raw value is the name of the command.
enum ChangeVerb: String, Sendable {
  case create
  case update
  case delete
  case reportBillable = "report-billable"

  /// The path of the method without the first slash; nil if the API has none.
  func method(_ kind: ResourceKind) -> String? {
    let service: String
    let type: String
    switch kind {
    case .trip: (service, type) = ("maps.fleetengine.v1.TripService", "Trip")
    case .vehicle: (service, type) = (Self.vehicleService, "Vehicle")
    case .task: (service, type) = (Self.deliveryService, "Task")
    case .deliveryVehicle: (service, type) = (Self.deliveryService, "DeliveryVehicle")
    case .taskTrackingInfo: return nil
    }
    switch self {
    case .create: return "\(service)/Create\(type)"
    case .update: return "\(service)/Update\(type)"
    case .delete: return "\(service)/Delete\(type)"
    case .reportBillable: return "\(service)/ReportBillableTrip"
    }
  }

  static let batch = "\(deliveryService)/BatchCreateTasks"
  static let attributes = "\(vehicleService)/UpdateVehicleAttributes"

  private static let vehicleService = "maps.fleetengine.v1.VehicleService"
  private static let deliveryService = "maps.fleetengine.delivery.v1.DeliveryService"
}
