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
  ///   - view: the fields of a trip that the server fills.
  ///   - routeFormat: requests the routes of a trip as points or encoded.
  ///   - options: returns the options of the call for the retry policy of its method.
  package func resource(
    _ name: ResourceName, view: TripView = .unspecified,
    routeFormat: PolylineFormatType = .unknownFormatType, options: (RetryPolicy?) -> CallOptions
  ) async throws(CallError) -> FetchedResource {
    let text = name.description
    switch name {
    case .trip:
      var request = Trip.request(forName: text, header: nil)
      request.view = view
      request.routeFormatType = routeFormat
      return try await resource(text, request, options) { .trip($0) }
    case .vehicle:
      let request = Vehicle.request(forName: text, header: nil)
      return try await resource(text, request, options) { .vehicle($0) }
    case .deliveryVehicle:
      let request = DeliveryVehicle.request(forName: text, header: nil)
      return try await resource(text, request, options) { .deliveryVehicle($0) }
    case .task:
      let request = DeliveryTask.request(forName: text, header: nil)
      return try await resource(text, request, options) { .task($0) }
    case .taskTrackingInfo:
      let request = TaskTrackingInfo.request(forName: text, header: nil)
      return try await resource(text, request, options) { .taskTrackingInfo($0) }
    }
  }

  private func resource<Resource: FollowedResource>(
    _ name: String, _ request: Resource.Request, _ options: (RetryPolicy?) -> CallOptions,
    _ wrap: (Resource) -> FleetResource
  ) async throws(CallError) -> FetchedResource {
    let method = Resource.getMethod
    let response = try await tripService.client.call(
      method, request, for: AuthorizationContext(of: name), options(method.retryPolicy))
    return FetchedResource(
      resource: wrap(response.message), unknownFieldCount: response.unknownFieldCount,
      attempts: response.attempts)
  }
}
