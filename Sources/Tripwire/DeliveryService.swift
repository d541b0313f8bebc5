/// The calls of `maps.fleetengine.delivery.v1.DeliveryService`: delivery vehicles and their tasks.
///
/// Calls are retried as Fleet Engine's service config specifies, with a timeout of 60 s. Deletions are not
/// retried and have no default timeout. The token of each call is requested for an
/// ``AuthorizationContext`` with the resources of the call.
public struct DeliveryService: Sendable {
  let client: FleetClient
  private let models: FleetModels

  init(client: FleetClient, models: FleetModels) {
    self.client = client
    self.models = models
  }

  /// Returns the model of a delivery vehicle. The same name yields the same model while it is held or its
  /// vehicle is followed. Each poll of a malformed name fails locally with INVALID_ARGUMENT.
  public func deliveryVehicleModel(forDeliveryVehicleName name: String) -> DeliveryVehicleModel {
    models.resource(.deliveryVehicle, name)
  }

  /// Returns the model of a task. The same name yields the same model while it is held or its task is
  /// followed. Each poll of a malformed name fails locally with INVALID_ARGUMENT.
  public func taskModel(forTaskName name: String) -> TaskModel {
    models.resource(.task, name)
  }

  /// Returns the model of the tracking information of a shipment. The same name yields the same model while
  /// it is held or the shipment is followed. Each poll of a malformed name fails locally with
  /// INVALID_ARGUMENT.
  public func taskTrackingModel(forTaskTrackingInfoName name: String) -> TaskTrackingModel {
    models.resource(.taskTrackingInfo, name)
  }

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

  // MARK: Tasks

  /// Gets a task with a complete request, and returns the complete response with its headers and
  /// trailers.
  public func getTask(
    _ request: GetTaskRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<DeliveryTask> {
    try await client.call(
      DeliveryServiceMethods.getTask, request,
      for: AuthorizationContext(of: request.name), options)
  }

  /// Gets the tracking information of a shipment with a complete request, and returns the complete response
  /// with its headers and trailers.
  public func getTaskTrackingInfo(
    _ request: GetTaskTrackingInfoRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<TaskTrackingInfo> {
    try await client.call(
      DeliveryServiceMethods.getTaskTrackingInfo, request,
      for: AuthorizationContext(of: request.name), options)
  }

  /// Returns one page of a provider's tasks.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func listTasks(
    _ request: ListTasksRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<ListTasksResponse> {
    try await client.call(
      DeliveryServiceMethods.listTasks, request,
      for: AuthorizationContext(in: request.parent, .task, "*"), options)
  }

  /// Creates a task, and returns it.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, ALREADY_EXISTS if the ID is in use.
  public func createTask(
    _ request: CreateTaskRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<DeliveryTask> {
    try await client.call(
      DeliveryServiceMethods.createTask, request,
      for: AuthorizationContext(in: request.parent, .task, request.taskId), options)
  }

  /// Creates at most 500 tasks, and returns them.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func batchCreateTasks(
    _ request: BatchCreateTasksRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<BatchCreateTasksResponse> {
    var context = AuthorizationContext(resourceName: request.parent)
    context.setTaskIDs(request.requests.map(\.taskId))
    return try await client.call(
      DeliveryServiceMethods.batchCreateTasks, request, for: context, options)
  }

  /// Updates the fields of a task that the mask names, and returns the task.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func updateTask(
    _ request: UpdateTaskRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<DeliveryTask> {
    try await client.call(
      DeliveryServiceMethods.updateTask, request,
      for: AuthorizationContext(of: request.task?.name ?? ""), options)
  }

  /// Deletes a task.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, FAILED_PRECONDITION if the task is open and has a vehicle.
  public func deleteTask(
    _ request: DeleteTaskRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Empty> {
    try await client.call(
      DeliveryServiceMethods.deleteTask, request,
      for: AuthorizationContext(of: request.name), options)
  }

  // MARK: Delivery vehicles

  /// Gets a delivery vehicle with a complete request, and returns the complete response with its headers and
  /// trailers.
  public func getDeliveryVehicle(
    _ request: GetDeliveryVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<DeliveryVehicle> {
    try await client.call(
      DeliveryServiceMethods.getDeliveryVehicle, request,
      for: AuthorizationContext(of: request.name), options)
  }

  /// Returns one page of a provider's delivery vehicles, without their stops.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func listDeliveryVehicles(
    _ request: ListDeliveryVehiclesRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<ListDeliveryVehiclesResponse> {
    try await client.call(
      DeliveryServiceMethods.listDeliveryVehicles, request,
      for: AuthorizationContext(in: request.parent, .deliveryVehicle, "*"), options)
  }

  /// Creates a delivery vehicle, and returns it.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, ALREADY_EXISTS if the ID is in use.
  public func createDeliveryVehicle(
    _ request: CreateDeliveryVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<DeliveryVehicle> {
    try await client.call(
      DeliveryServiceMethods.createDeliveryVehicle, request,
      for: AuthorizationContext(in: request.parent, .deliveryVehicle, request.deliveryVehicleId),
      options)
  }

  /// Updates the fields of a delivery vehicle that the mask names, and returns the vehicle.
  ///
  /// A new plan of stops assigns and closes tasks, so the token for this call is for all tasks.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func updateDeliveryVehicle(
    _ request: UpdateDeliveryVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<DeliveryVehicle> {
    var context = AuthorizationContext(of: request.deliveryVehicle?.name ?? "")
    if request.updatesPlan { context.taskID = "*" }
    return try await client.call(
      DeliveryServiceMethods.updateDeliveryVehicle, request, for: context, options)
  }

  /// Deletes a delivery vehicle.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, FAILED_PRECONDITION if the vehicle has open tasks.
  public func deleteDeliveryVehicle(
    _ request: DeleteDeliveryVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Empty> {
    try await client.call(
      DeliveryServiceMethods.deleteDeliveryVehicle, request,
      for: AuthorizationContext(of: request.name), options)
  }
}

extension UpdateDeliveryVehicleRequest {
  /// Whether the mask names the stops of the vehicle.
  package var updatesPlan: Bool {
    (updateMask?.paths ?? []).contains { $0.hasPrefix("remaining_vehicle_journey_segments") }
  }
}
