import CommandShell
import DynamicProtobuf
import Tripwire

extension AuthorizationContext {
  /// Creates the context of a request by the fields that name its resources, as the services of the
  /// library do for theirs.
  init(_ method: DynamicProtobuf.MethodDescriptor, _ request: DynamicMessage?) {
    guard let request else {
      self.init(resourceName: "")
      return
    }
    let name = ["name", "task.name", "delivery_vehicle.name"].lazy.map(request.text(at:))
      .first { !$0.isEmpty }
    self.init(of: name ?? request.text(at: "parent"))
    guard FleetEngineMethods.defaults[method.path] != nil else { return }
    switch method.name {
    case "CreateTrip", "UpdateTrip":
      add(.trip, request.text(at: "trip_id"))
      add(.vehicle, request.text(at: "trip.vehicle_id"))
    case "CreateVehicle": add(.vehicle, request.text(at: "vehicle_id"))
    case "CreateTask": add(.task, request.text(at: "task_id"))
    case "CreateDeliveryVehicle":
      add(.deliveryVehicle, request.text(at: "delivery_vehicle_id"))
    case "ListTasks": taskID = "*"
    case "ListDeliveryVehicles": deliveryVehicleID = "*"
    case "UpdateDeliveryVehicle":
      let typed = try? UpdateDeliveryVehicleRequest(serializedBytes: request.serializedBytes())
      if typed?.updatesPlan == true { taskID = "*" }
    case "BatchCreateTasks":
      let typed = try? BatchCreateTasksRequest(serializedBytes: request.serializedBytes())
      setTaskIDs(typed?.requests.map(\.taskId) ?? [])
    default: break
    }
  }

  private mutating func add(_ kind: ResourceKind, _ id: String) {
    if !id.isEmpty { self[kind] = id }
  }
}
