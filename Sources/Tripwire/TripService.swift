/// The calls of `maps.fleetengine.v1.TripService`, and the trips that are followed with them.
public struct TripService: Sendable {
  let client: FleetClient
  private let models: TripModels

  init(client: FleetClient) {
    self.client = client
    models = TripModels(client: client)
  }

  /// The model of a trip, the same for the same name as long as somebody holds it or follows the trip.
  ///
  /// - Parameter name: `providers/{provider}/trips/{trip}`. One that is malformed fails every poll with
  ///   INVALID_ARGUMENT, unsent.
  public func tripModel(forTripName name: String) -> TripModel { models[name] }

  /// The model of a trip, the same for the same name as long as somebody holds it or follows the trip.
  public func tripModel(forTripName name: TripName) -> TripModel { models[name.description] }

  public func hasTripModel(forTripName name: String) -> Bool { models.has(name) }

  /// The models that somebody holds, in no order.
  public var allTripModels: [TripModel] { models.all }

  /// Those of them whose trips are followed now.
  public var activeTripModels: [TripModel] { models.all.filter { $0.state == .active } }

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
