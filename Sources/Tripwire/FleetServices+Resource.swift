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
      let trip = TripRequestOptions(view: view, routeFormat: routeFormat)
      return try await resource(text, options, FleetResource.trip, trip)
    case .vehicle:
      return try await resource(text, options, FleetResource.vehicle)
    case .deliveryVehicle:
      return try await resource(text, options, FleetResource.deliveryVehicle)
    case .task:
      return try await resource(text, options, FleetResource.task)
    case .taskTrackingInfo:
      return try await resource(text, options, FleetResource.taskTrackingInfo)
    }
  }

  private func resource<Resource: FollowedResource>(
    _ name: String, _ options: (RetryPolicy?) -> CallOptions,
    _ wrap: (Resource) -> FleetResource, _ requestOptions: Resource.RequestOptions = .init()
  ) async throws(CallError) -> FetchedResource {
    let method = Resource.getMethod
    let response = try await tripService.client.call(
      method, Resource.request(forName: name, options: requestOptions),
      for: AuthorizationContext(of: name), options(method.retryPolicy))
    return FetchedResource(
      resource: wrap(response.message), unknownFieldCount: response.unknownFieldCount,
      attempts: response.attempts)
  }
}
