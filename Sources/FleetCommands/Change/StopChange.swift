import CommandLine
import CommandShell
import DynamicProtobuf
import Tripwire

/// A change of the next stop of a delivery vehicle. The raw value is the word on the command line.
enum StopChange: String, CaseIterable, Sendable {
  case enroute
  case arrived
  case completed

  static let option = "--stop"

  /// Returns the stops after the change, as a request has them: without what only the server sets.
  ///
  /// A completed stop is one that is removed. It must be ARRIVED, so that a repeated command does not close
  /// the tasks of another stop.
  ///
  /// - Parameter name: the vehicle, for errors.
  func applied(
    to segments: [VehicleJourneySegment], of name: String
  ) throws(ErrorReport) -> [VehicleJourneySegment] {
    var stops = segments.map { segment in
      VehicleJourneySegment(stop: segment.stop)
    }
    guard let next = stops.first?.stop else {
      throw failure(
        "\(name) has no stops",
        hint: "plan the stops first: update its field remainingVehicleJourneySegments")
    }
    switch self {
    case .enroute: stops[0].stop?.state = .enroute
    case .arrived: stops[0].stop?.state = .arrived
    case .completed:
      guard next.state == .arrived else {
        let state = next.state.name ?? "\(next.state.rawValue)"
        throw failure(
          "the next stop of \(name) is \(state), not ARRIVED",
          hint: "mark the arrival first: \(Self.option) \(StopChange.arrived.rawValue)")
      }
      stops.removeFirst()
    }
    return stops
  }

  private func failure(_ message: String, hint: String) -> ErrorReport {
    ErrorReport(local: escaped("\(Self.option) \(rawValue): \(message)"), hint: hint)
  }
}

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
