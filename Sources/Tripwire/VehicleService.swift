/// The calls of `maps.fleetengine.v1.VehicleService`, and vehicle models.
///
/// Calls are retried as Fleet Engine's service config specifies, with a timeout of 15 s. Lists and deletions are not
/// retried and have no default timeout. A call with a complete request returns the complete response with its headers
/// and trailers.
public struct VehicleService: Sendable {
  let client: FleetClient
  let models: FleetModels

  /// Returns the model of a vehicle. The same name yields the same model while it is held or its vehicle
  /// is followed.
  ///
  /// - Parameter name: `providers/{provider}/vehicles/{vehicle}`. Each poll of a malformed name fails
  ///   locally with INVALID_ARGUMENT.
  public func vehicleModel(forVehicleName name: String) -> VehicleModel {
    models.resource(name)
  }

  /// Returns the model of a vehicle. The same name yields the same model while it is held or its vehicle
  /// is followed.
  public func vehicleModel(forVehicleName name: VehicleName) -> VehicleModel {
    vehicleModel(forVehicleName: name.description)
  }
}

extension VehicleServiceProtocol {
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
}
