/// The calls of `maps.fleetengine.v1.TripService`, and trip models.
public struct TripService: Sendable {
  let client: FleetClient
  private let models: FleetModels

  init(client: FleetClient, models: FleetModels) {
    self.client = client
    self.models = models
  }

  /// Returns the model of a trip. The same name yields the same model while it is held or its trip
  /// is followed.
  ///
  /// - Parameter name: `providers/{provider}/trips/{trip}`. Each poll of a malformed name fails
  ///   locally with INVALID_ARGUMENT.
  public func tripModel(forTripName name: String) -> TripModel { models.trips[name] }

  /// Returns the model of a trip. The same name yields the same model while it is held or its trip
  /// is followed.
  public func tripModel(forTripName name: TripName) -> TripModel {
    models.trips[name.description]
  }

  /// Returns whether a model of the trip is held or its trip is followed.
  public func hasTripModel(forTripName name: String) -> Bool { models.trips.has(name) }

  /// The models that are held or whose trips are followed, in no particular order.
  public var allTripModels: [TripModel] { models.trips.all }

  /// The models whose trips are followed now.
  public var activeTripModels: [TripModel] { allTripModels.filter { $0.state == .active } }

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
    let request = Trip.request(
      forName: name.description, options: TripRequestOptions(view: view, routeFormat: routeFormat))
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

  /// Creates a trip, and returns it.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, ALREADY_EXISTS if the ID is in use.
  public func createTrip(
    _ request: CreateTripRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Trip> {
    var context = AuthorizationContext(in: request.parent, .trip, request.tripId)
    context.setVehicle(of: request.trip)
    return try await client.call(
      TripServiceMethods.createTrip, request, for: context, options)
  }

  /// Updates the fields of a trip that the mask names, and returns the trip.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func updateTrip(
    _ request: UpdateTripRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Trip> {
    var context = AuthorizationContext(of: request.name)
    context.setVehicle(of: request.trip)
    return try await client.call(
      TripServiceMethods.updateTrip, request, for: context, options)
  }

  /// Deletes a trip. The call is not retried.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, FAILED_PRECONDITION if the trip is active and has a vehicle.
  public func deleteTrip(
    _ request: DeleteTripRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Empty> {
    try await client.call(
      TripServiceMethods.deleteTrip, request,
      for: AuthorizationContext(of: request.name), options)
  }

  /// Reports a trip for billing. The call is not retried.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``.
  public func reportBillableTrip(
    _ request: ReportBillableTripRequest, options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Empty> {
    try await client.call(
      TripServiceMethods.reportBillableTrip, request,
      for: AuthorizationContext(of: request.name), options)
  }
}

extension AuthorizationContext {
  /// Adds the vehicle to which a call assigns a trip.
  fileprivate mutating func setVehicle(of trip: Trip?) {
    if let id = trip?.vehicleId, !id.isEmpty { vehicleID = id }
  }
}
