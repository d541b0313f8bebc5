import CommandShell
import DynamicProtobuf
import Tripwire

extension ChangeRequest {
  /// Returns the request that changes the next stop of a delivery vehicle, after reading its stops.
  func request(
    _ change: StopChange, of name: ResourceName, _ type: MessageDescriptor, _ pool: DescriptorPool,
    from server: Server
  ) async throws(ErrorReport) -> DynamicMessage {
    var segments: [VehicleJourneySegment] = []
    do throws(CallError) {
      let response = try await server.fleet().resource(
        name, options: { server.callOptions($0, isOnlyCall: true) })
      if case .deliveryVehicle(let vehicle) = response.resource {
        segments = vehicle.remainingVehicleJourneySegments
      }
    } catch {
      throw ErrorReport(error, server.hint(about: .resource(name.description)))
    }
    let vehicle = DeliveryVehicle(
      name: name.description,
      remainingVehicleJourneySegments: try change.applied(to: segments, of: name.description))
    let request = UpdateDeliveryVehicleRequest(
      deliveryVehicle: vehicle,
      updateMask: FieldMask(paths: ["remaining_vehicle_journey_segments"]))
    return try dynamic(request, type, pool)
  }

  /// Returns the request that updates some attributes of a vehicle.
  func request(
    _ attributes: [VehicleAttribute], of name: ResourceName, _ type: MessageDescriptor,
    _ pool: DescriptorPool
  ) throws(ErrorReport) -> DynamicMessage {
    try dynamic(
      UpdateVehicleAttributesRequest(name: name.description, attributes: attributes), type, pool)
  }

  private func dynamic(
    _ message: some Message, _ type: MessageDescriptor, _ pool: DescriptorPool
  ) throws(ErrorReport) -> DynamicMessage {
    try mapError(DynamicMessage(message, as: type, in: pool)) { (error: DecodingError) in
      ErrorReport(CallError(decoding: error), hint: nil)
    }
  }
}
