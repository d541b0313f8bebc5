import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

extension TestFleet {
  // MARK: Tasks

  static func task(
    _ id: String, at place: LocationInfo = .at(1, 1),
    _ change: (inout DeliveryTask) -> Void = { _ in }
  ) -> CreateTaskRequest {
    var task = DeliveryTask(
      type: .delivery, state: .open, trackingId: "track-\(id)", plannedLocation: place,
      taskDuration: WireDuration(.seconds(30)))
    change(&task)
    return CreateTaskRequest(parent: "providers/p", taskId: id, task: task)
  }

  @discardableResult
  mutating func createTask(
    _ id: String, _ change: (inout DeliveryTask) -> Void = { _ in }
  ) throws -> DeliveryTask {
    try call(DeliveryServiceMethods.createTask, Self.task(id, change))
  }

  static func taskUpdate(
    _ id: String, _ mask: String, _ change: (inout DeliveryTask) -> Void
  ) -> UpdateTaskRequest {
    var task = DeliveryTask()
    change(&task)
    task.name = "providers/p/tasks/\(id)"
    return UpdateTaskRequest(task: task, updateMask: FieldMask(mask))
  }

  @discardableResult
  mutating func updateTask(
    _ id: String, _ mask: String, _ change: (inout DeliveryTask) -> Void
  ) throws -> DeliveryTask {
    try call(DeliveryServiceMethods.updateTask, Self.taskUpdate(id, mask, change))
  }

  mutating func task(_ id: String) throws -> DeliveryTask {
    try call(DeliveryServiceMethods.getTask, GetTaskRequest(name: "providers/p/tasks/\(id)"))
  }

  mutating func tracking(_ id: String) throws -> TaskTrackingInfo {
    try call(
      DeliveryServiceMethods.getTaskTrackingInfo,
      GetTaskTrackingInfoRequest(name: "providers/p/taskTrackingInfo/track-\(id)"))
  }

  // MARK: Delivery vehicles

  @discardableResult
  mutating func createDeliveryVehicle(
    _ id: String, at place: LatLng? = nil, _ change: (inout DeliveryVehicle) -> Void = { _ in }
  ) throws -> DeliveryVehicle {
    var vehicle = DeliveryVehicle()
    vehicle.lastLocation = place.map { DeliveryVehicleLocation(location: $0) }
    change(&vehicle)
    return try call(
      DeliveryServiceMethods.createDeliveryVehicle,
      CreateDeliveryVehicleRequest(
        parent: "providers/p", deliveryVehicleId: id, deliveryVehicle: vehicle))
  }

  static func deliveryUpdate(
    _ id: String, _ mask: String, _ change: (inout DeliveryVehicle) -> Void
  ) -> UpdateDeliveryVehicleRequest {
    var vehicle = DeliveryVehicle()
    change(&vehicle)
    vehicle.name = "providers/p/deliveryVehicles/\(id)"
    return UpdateDeliveryVehicleRequest(deliveryVehicle: vehicle, updateMask: FieldMask(mask))
  }

  @discardableResult
  mutating func updateDelivery(
    _ id: String, _ mask: String, _ change: (inout DeliveryVehicle) -> Void
  ) throws -> DeliveryVehicle {
    try call(DeliveryServiceMethods.updateDeliveryVehicle, Self.deliveryUpdate(id, mask, change))
  }

  mutating func deliveryVehicle(_ id: String) throws -> DeliveryVehicle {
    try call(
      DeliveryServiceMethods.getDeliveryVehicle,
      GetDeliveryVehicleRequest(name: "providers/p/deliveryVehicles/\(id)"))
  }

  @discardableResult
  mutating func plan(_ id: String, _ stops: [VehicleJourneySegment]) throws -> DeliveryVehicle {
    try updateDelivery(id, journeyField) { $0.remainingVehicleJourneySegments = stops }
  }

  mutating func planFailure(_ id: String, _ stops: [VehicleJourneySegment]) throws -> EngineError {
    try failure(
      DeliveryServiceMethods.updateDeliveryVehicle,
      Self.deliveryUpdate(id, journeyField) { $0.remainingVehicleJourneySegments = stops })
  }

  mutating func move(_ id: String, to place: LatLng) throws {
    try updateDelivery(id, "last_location") { $0.lastLocation = .init(location: place) }
  }
}

let journeyField = "remaining_vehicle_journey_segments"
/// Meters of a degree on the equator.
let degree = LatLng.equator(0).meters(to: .equator(1))

extension LocationInfo {
  static func at(_ latitude: Double, _ longitude: Double) -> LocationInfo {
    LocationInfo(point: LatLng(latitude: latitude, longitude: longitude))
  }
}

extension VehicleJourneySegment {
  /// A stop at a longitude on the equator.
  static func stop(
    _ longitude: Double, _ tasks: String..., state: VehicleStop.State = .new
  ) -> VehicleJourneySegment {
    VehicleJourneySegment(
      stop: VehicleStop(
        plannedLocation: .at(0, longitude),
        tasks: tasks.map { VehicleStop.TaskInfo(taskId: $0) }, state: state))
  }
}

extension LatLng {
  static func equator(_ longitude: Double) -> LatLng { LatLng(latitude: 0, longitude: longitude) }
}
