import Tripwire

extension ResourceKind {
  /// The type of the resource.
  package var messageName: String {
    switch self {
    case .trip: Trip.messageName
    case .vehicle: Vehicle.messageName
    case .task: DeliveryTask.messageName
    case .deliveryVehicle: DeliveryVehicle.messageName
    case .taskTrackingInfo: TaskTrackingInfo.messageName
    }
  }

  /// The method that gets the resource.
  package var getPath: String {
    switch self {
    case .trip: TripServiceMethods.getTrip.path
    case .vehicle: VehicleServiceMethods.getVehicle.path
    case .task: DeliveryServiceMethods.getTask.path
    case .deliveryVehicle: DeliveryServiceMethods.getDeliveryVehicle.path
    case .taskTrackingInfo: DeliveryServiceMethods.getTaskTrackingInfo.path
    }
  }
}
