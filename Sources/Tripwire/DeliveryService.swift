/// The calls of `maps.fleetengine.delivery.v1.DeliveryService`: delivery vehicles and their tasks.
///
/// Calls are retried as Fleet Engine's service config specifies, with a timeout of 60 s. Deletions are not
/// retried and have no default timeout. The token of each call is requested for an
/// ``AuthorizationContext`` with the resources of the call; that of a new plan of stops is for all tasks, which it may
/// assign or close. A call with a complete request returns the complete response with its headers and trailers.
public struct DeliveryService: Sendable {
  let client: FleetClient
  let models: FleetModels

  /// Returns the model of a delivery vehicle. The same name yields the same model while it is held or its
  /// vehicle is followed. Each poll of a malformed name fails locally with INVALID_ARGUMENT.
  public func deliveryVehicleModel(forDeliveryVehicleName name: String) -> DeliveryVehicleModel {
    models.resource(name)
  }

  /// Returns the model of a task. The same name yields the same model while it is held or its task is
  /// followed. Each poll of a malformed name fails locally with INVALID_ARGUMENT.
  public func taskModel(forTaskName name: String) -> TaskModel {
    models.resource(name)
  }

  /// Returns the model of the tracking information of a shipment. The same name yields the same model while
  /// it is held or the shipment is followed. Each poll of a malformed name fails locally with
  /// INVALID_ARGUMENT.
  public func taskTrackingModel(forTaskTrackingInfoName name: String) -> TaskTrackingModel {
    models.resource(name)
  }
}

extension DeliveryServiceProtocol {
  /// Gets a task, with its journey sharing information.
  ///
  /// - Parameters:
  ///   - name: the name of the task.
  ///   - options: timeout (60 s by default), headers, limits.
  /// - Throws: ``/WireGRPCClient/CallError``, NOT_FOUND if the task does not exist.
  public func getTask(
    _ name: TaskName, options: CallOptions = CallOptions()
  ) async throws(CallError) -> DeliveryTask {
    try await getTask(GetTaskRequest(name: name.description), options: options).message
  }

  /// Gets a delivery vehicle, with its remaining stops.
  ///
  /// - Parameters:
  ///   - name: the name of the vehicle.
  ///   - options: timeout (60 s by default), headers, limits.
  /// - Throws: ``/WireGRPCClient/CallError``, NOT_FOUND if the vehicle does not exist.
  public func getDeliveryVehicle(
    _ name: DeliveryVehicleName, options: CallOptions = CallOptions()
  ) async throws(CallError) -> DeliveryVehicle {
    let request = GetDeliveryVehicleRequest(name: name.description)
    return try await getDeliveryVehicle(request, options: options).message
  }

  /// Gets the tracking information of a shipment: its state as the recipient may see it.
  ///
  /// - Parameters:
  ///   - name: the name with the tracking ID.
  ///   - options: timeout (60 s by default), headers, limits.
  /// - Throws: ``/WireGRPCClient/CallError``, NOT_FOUND if no task has the tracking ID.
  public func getTaskTrackingInfo(
    _ name: TaskTrackingInfoName, options: CallOptions = CallOptions()
  ) async throws(CallError) -> TaskTrackingInfo {
    let request = GetTaskTrackingInfoRequest(name: name.description)
    return try await getTaskTrackingInfo(request, options: options).message
  }
}
