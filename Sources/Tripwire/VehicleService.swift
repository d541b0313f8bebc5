/// The calls of `maps.fleetengine.v1.VehicleService`, and vehicle models.
public struct VehicleService: Sendable {
  let client: FleetClient
  private let models: FleetModels

  init(client: FleetClient, models: FleetModels) {
    self.client = client
    self.models = models
  }

  /// Returns the model of a vehicle. The same name yields the same model while it is held or its vehicle
  /// is followed.
  ///
  /// - Parameter name: `providers/{provider}/vehicles/{vehicle}`. Each poll of a malformed name fails
  ///   locally with INVALID_ARGUMENT.
  public func vehicleModel(forVehicleName name: String) -> VehicleModel {
    models.resource(.vehicle, name)
  }

  /// Returns the model of a vehicle. The same name yields the same model while it is held or its vehicle
  /// is followed.
  public func vehicleModel(forVehicleName name: VehicleName) -> VehicleModel {
    vehicleModel(forVehicleName: name.description)
  }

  /// Gets a vehicle.
  ///
  /// - Parameters:
  ///   - name: the name of the vehicle.
  ///   - options: timeout (15 s by default), headers, limits.
  /// - Throws: ``/WireGRPCClient/CallError``, NOT_FOUND if the vehicle does not exist.
  public func getVehicle(
    _ name: VehicleName, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Vehicle {
    try await getVehicle(GetVehicleRequest(name: name.description), options: options).message
  }

  /// Gets a vehicle with a complete request, and returns the complete response with its headers and
  /// trailers.
  public func getVehicle(
    _ request: GetVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Vehicle> {
    try await client.call(
      VehicleServiceMethods.getVehicle, request,
      for: AuthorizationContext(
        resourceName: request.name, vehicleID: lastSegment(of: request.name)),
      options)
  }

  /// Returns one page of a provider's vehicles. The call is not retried and has no default timeout.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func listVehicles(
    _ request: ListVehiclesRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<ListVehiclesResponse> {
    try await client.call(
      VehicleServiceMethods.listVehicles, request,
      for: AuthorizationContext(resourceName: request.parent), options)
  }

  /// Returns the vehicles that can serve a trip from a place.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func searchVehicles(
    _ request: SearchVehiclesRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<SearchVehiclesResponse> {
    try await client.call(
      VehicleServiceMethods.searchVehicles, request,
      for: AuthorizationContext(resourceName: request.parent), options)
  }

  /// Creates a vehicle, and returns it.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, ALREADY_EXISTS if the ID is in use.
  public func createVehicle(
    _ request: CreateVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Vehicle> {
    try await client.call(
      VehicleServiceMethods.createVehicle, request,
      for: AuthorizationContext(in: request.parent, .vehicle, request.vehicleId), options)
  }

  /// Updates the fields of a vehicle that the mask names, and returns the vehicle.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func updateVehicle(
    _ request: UpdateVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Vehicle> {
    try await client.call(
      VehicleServiceMethods.updateVehicle, request,
      for: AuthorizationContext(of: request.name), options)
  }

  /// Updates or adds attributes of a vehicle, and returns all its attributes.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func updateVehicleAttributes(
    _ request: UpdateVehicleAttributesRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<UpdateVehicleAttributesResponse> {
    try await client.call(
      VehicleServiceMethods.updateVehicleAttributes, request,
      for: AuthorizationContext(of: request.name), options)
  }

  /// Deletes a vehicle. The call is not retried.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, FAILED_PRECONDITION if the vehicle has active trips.
  public func deleteVehicle(
    _ request: DeleteVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Empty> {
    try await client.call(
      VehicleServiceMethods.deleteVehicle, request,
      for: AuthorizationContext(of: request.name), options)
  }
}
