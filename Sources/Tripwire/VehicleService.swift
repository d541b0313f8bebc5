/// The calls of `maps.fleetengine.v1.VehicleService`.
public struct VehicleService: Sendable {
  let client: FleetClient

  /// A vehicle as it is now.
  ///
  /// - Parameters:
  ///   - name: the vehicle's.
  ///   - options: timeout (15 s by default), headers, limits.
  /// - Throws: ``CallError``, NOT_FOUND when there is no such vehicle.
  public func getVehicle(
    _ name: VehicleName, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Vehicle {
    var request = GetVehicleRequest()
    request.name = name.description
    return try await getVehicle(request, options: options).message
  }

  /// The same with all that a request can say, such as version stamps, and all that comes back,
  /// such as headers and trailers.
  public func getVehicle(
    _ request: GetVehicleRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Vehicle> {
    try await client.call(
      VehicleServiceMethods.getVehicle, request,
      for: AuthorizationContext(
        resourceName: request.name, vehicleID: lastSegment(of: request.name)),
      options)
  }
}
