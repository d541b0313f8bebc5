/// The calls of `maps.fleetengine.v1.TripService`, and trip models.
public struct TripService: Sendable {
  let client: FleetClient
  private let models: TripModels

  init(client: FleetClient, models: TripModels) {
    self.client = client
    self.models = models
  }

  /// Returns the model of a trip. The same name yields the same model while it is held or its trip
  /// is followed.
  ///
  /// - Parameter name: `providers/{provider}/trips/{trip}`. Each poll of a malformed name fails
  ///   locally with INVALID_ARGUMENT.
  public func tripModel(forTripName name: String) -> TripModel { models[name] }

  /// Returns the model of a trip. The same name yields the same model while it is held or its trip
  /// is followed.
  public func tripModel(forTripName name: TripName) -> TripModel { models[name.description] }

  public func hasTripModel(forTripName name: String) -> Bool { models.has(name) }

  /// The models that are held or whose trips are followed, in no particular order.
  public var allTripModels: [TripModel] { models.all }

  /// The models whose trips are followed now.
  public var activeTripModels: [TripModel] { models.all.filter { $0.state == .active } }

  /// Gets a trip.
  ///
  /// - Parameters:
  ///   - name: the name of the trip.
  ///   - view: the fields that the server fills; unspecified means ``TripView/sdk``.
  ///   - routeFormat: requests routes as points or encoded; unknown means points.
  ///   - options: timeout (15 s by default), headers, limits.
  /// - Throws: ``/WireGRPCClient/CallError``, NOT_FOUND if the trip does not exist.
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

  /// Gets a trip with a complete request, such as one with version stamps, and returns the complete
  /// response with its headers and trailers.
  public func getTrip(
    _ request: GetTripRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Trip> {
    try await client.call(
      TripServiceMethods.getTrip, request,
      for: AuthorizationContext(
        resourceName: request.name, tripID: lastSegment(of: request.name)),
      options)
  }

  /// Returns one page of a provider's trips.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func searchTrips(
    _ request: SearchTripsRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<SearchTripsResponse> {
    try await client.call(
      TripServiceMethods.searchTrips, request,
      for: AuthorizationContext(resourceName: request.parent), options)
  }
}
