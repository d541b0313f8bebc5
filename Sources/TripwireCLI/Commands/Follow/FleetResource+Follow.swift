import Tripwire

extension FleetResource {
  /// Returns the exit code if following ends with this state; nil if it continues. The goal applies to
  /// trips only. A task or a shipment is followed until it is closed, a vehicle until the user stops it.
  func outcome(_ goal: FollowGoal) -> ExitCode? {
    switch self {
    case .trip(let trip): goal.outcome(at: trip.tripStatus)
    case .vehicle, .deliveryVehicle: nil
    case .task(let task): task.isFinal ? .success : nil
    case .taskTrackingInfo(let info): info.isFinal ? .success : nil
    }
  }
}

extension ResourceKind {
  /// The type of the resource.
  var messageName: String {
    switch self {
    case .trip: Trip.messageName
    case .vehicle: Vehicle.messageName
    case .task: DeliveryTask.messageName
    case .deliveryVehicle: DeliveryVehicle.messageName
    case .taskTrackingInfo: TaskTrackingInfo.messageName
    }
  }

  /// The method that gets the resource.
  var getPath: String {
    switch self {
    case .trip: TripServiceMethods.getTrip.path
    case .vehicle: VehicleServiceMethods.getVehicle.path
    case .task: DeliveryServiceMethods.getTask.path
    case .deliveryVehicle: DeliveryServiceMethods.getDeliveryVehicle.path
    case .taskTrackingInfo: DeliveryServiceMethods.getTaskTrackingInfo.path
    }
  }
}
