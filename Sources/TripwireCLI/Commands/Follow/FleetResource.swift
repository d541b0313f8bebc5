import JourneySharing
import RecordingAnalysis
import Tripwire

/// A resource of Fleet Engine that can be followed. Indirect, because copies of large messages take much
/// code.
indirect enum FleetResource: Sendable {
  case trip(Trip)
  case vehicle(Vehicle)
  case deliveryVehicle(DeliveryVehicle)
  case task(DeliveryTask)
  case taskTrackingInfo(TaskTrackingInfo)

  var trip: Trip? {
    if case .trip(let trip) = self { trip } else { nil }
  }

  var message: any Message {
    switch self {
    case .trip(let trip): trip
    case .vehicle(let vehicle): vehicle
    case .deliveryVehicle(let vehicle): vehicle
    case .task(let task): task
    case .taskTrackingInfo(let info): info
    }
  }

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

  /// Returns the JSON names of the fields that differ from those of an older state.
  ///
  /// - Parameter old: of the same kind; nil if there is none.
  func changedFields(since old: FleetResource?) -> [String] {
    switch (self, old) {
    case (.trip(let new), .trip(let old)): ChangedFields.names(from: old, to: new)
    case (.trip(let new), _): ChangedFields.names(from: Trip(), to: new)
    case (.vehicle(let new), .vehicle(let old)): Vehicle.changes(from: old, to: new).jsonNames
    case (.vehicle(let new), _): Vehicle.changes(from: Vehicle(), to: new).jsonNames
    case (.deliveryVehicle(let new), .deliveryVehicle(let old)):
      DeliveryVehicle.changes(from: old, to: new).jsonNames
    case (.deliveryVehicle(let new), _):
      DeliveryVehicle.changes(from: DeliveryVehicle(), to: new).jsonNames
    case (.task(let new), .task(let old)): DeliveryTask.changes(from: old, to: new).jsonNames
    case (.task(let new), _): DeliveryTask.changes(from: DeliveryTask(), to: new).jsonNames
    case (.taskTrackingInfo(let new), .taskTrackingInfo(let old)):
      TaskTrackingInfo.changes(from: old, to: new).jsonNames
    case (.taskTrackingInfo(let new), _):
      TaskTrackingInfo.changes(from: TaskTrackingInfo(), to: new).jsonNames
    }
  }

  /// Nil for a vehicle of trips, which has no map.
  var journey: Journey? {
    switch self {
    case .trip(let trip): Journey(trip)
    case .vehicle: nil
    case .deliveryVehicle(let vehicle): Journey(vehicle)
    case .task(let task): Journey(task)
    case .taskTrackingInfo(let info): Journey(info)
    }
  }

  /// The last location of the vehicle.
  var lastLocation: VehicleLocation? {
    switch self {
    case .trip(let trip): trip.lastLocation
    case .vehicle(let vehicle): vehicle.lastLocation
    case .deliveryVehicle(let vehicle): vehicle.lastLocation.map(VehicleLocation.init)
    case .task(let task): task.journeySharingInfo?.lastLocation.map(VehicleLocation.init)
    case .taskTrackingInfo(let info): info.vehicleLocation.map(VehicleLocation.init)
    }
  }
}

extension FieldMask {
  /// The paths in lowerCamelCase.
  fileprivate var jsonNames: [String] {
    let text = (try? jsonString()) ?? ""
    return text.dropFirst().dropLast().split(separator: ",").map(String.init)
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

  /// The key of the resource in a line of JSON.
  var jsonKey: String {
    switch self {
    case .trip: "trip"
    case .vehicle: "vehicle"
    case .task: "task"
    case .deliveryVehicle: "deliveryVehicle"
    case .taskTrackingInfo: "taskTrackingInfo"
    }
  }
}
