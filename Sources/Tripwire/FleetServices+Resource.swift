package import WireGRPC

/// The response of a call that gets a resource.
package struct FetchedResource: Sendable {
  package let resource: FleetResource
  package let unknownFieldCount: Int
  package let attempts: Int
}

extension FleetServices {
  /// Gets a resource of any kind.
  ///
  /// - Parameters:
  ///   - trip: the options of a request for a trip.
  ///   - options: returns the options of the call for the retry policy of its method.
  package func resource(
    _ name: ResourceName, _ trip: TripRequestOptions = TripRequestOptions(),
    options: (RetryPolicy?) -> CallOptions
  ) async throws(CallError) -> FetchedResource {
    try await resource(name.kind.messageType, name.description, trip, options)
  }

  private func resource<Resource: FleetMessage>(
    _ type: Resource.Type, _ name: String, _ trip: TripRequestOptions,
    _ options: (RetryPolicy?) -> CallOptions
  ) async throws(CallError) -> FetchedResource {
    let method = Resource.getMethod
    let response: CallResponse<Resource> = try await client.rawCall(
      method, Resource.request(forName: name, options: Resource.requestOptions(trip)),
      for: AuthorizationContext(of: name), options(method.retryPolicy)
    ).decode()
    return FetchedResource(
      resource: response.message.resource, unknownFieldCount: response.unknownFieldCount,
      attempts: response.attempts)
  }

  /// Returns the model of a resource of any kind. Each type is named here, so that polls run specialized code.
  package func model(of name: ResourceName) -> any AnyResourceModel {
    let text = name.description
    return switch name.kind {
    case .trip: tripService.tripModel(forTripName: text)
    case .vehicle: vehicleService.vehicleModel(forVehicleName: text)
    case .deliveryVehicle: deliveryService.deliveryVehicleModel(forDeliveryVehicleName: text)
    case .task: deliveryService.taskModel(forTaskName: text)
    case .taskTrackingInfo: deliveryService.taskTrackingModel(forTaskTrackingInfoName: text)
    }
  }
}
