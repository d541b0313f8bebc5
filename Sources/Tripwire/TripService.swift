/// The calls of `maps.fleetengine.v1.TripService`.
public struct TripService: Sendable {
  let client: FleetClient

  /// A trip as it is now.
  ///
  /// - Parameters:
  ///   - name: the trip's.
  ///   - view: which fields the server fills; unspecified is ``TripView/sdk``.
  ///   - routeFormat: whether routes come as points or encoded; unknown is as points.
  ///   - options: timeout (15 s by default), headers, limits.
  /// - Throws: ``CallError``, NOT_FOUND when there is no such trip.
  public func getTrip(
    _ name: TripName, view: TripView = .unspecified,
    routeFormat: PolylineFormatType = .unknownFormatType, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Trip {
    var request = GetTripRequest()
    request.name = name.description
    request.view = view
    request.routeFormatType = routeFormat
    return try await getTrip(request, options: options).message
  }

  /// The same with all that a request can say, such as version stamps, and all that comes back,
  /// such as headers and trailers.
  public func getTrip(
    _ request: GetTripRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Trip> {
    try await client.call(
      TripServiceMethods.getTrip, request,
      for: AuthorizationContext(
        resourceName: request.name, tripID: lastSegment(of: request.name)),
      options)
  }
}
