/// The calls of `maps.fleetengine.v1.TripService`, and trip models.
///
/// Calls are retried as Fleet Engine's service config specifies, with a timeout of 15 s. Deletions and reports for
/// billing are not retried and have no default timeout. A call with a complete request, such as one with version
/// stamps, returns the complete response with its headers and trailers.
public struct TripService: Sendable {
  let client: FleetClient
  let models: FleetModels

  /// Returns the model of a trip. The same name yields the same model while it is held or its trip
  /// is followed.
  ///
  /// - Parameter name: `providers/{provider}/trips/{trip}`. Each poll of a malformed name fails
  ///   locally with INVALID_ARGUMENT.
  public func tripModel(forTripName name: String) -> TripModel { models.trip(name) }

  /// Returns the model of a trip. The same name yields the same model while it is held or its trip
  /// is followed.
  public func tripModel(forTripName name: TripName) -> TripModel {
    models.trip(name.description)
  }

  /// Returns whether a model of the trip is held or its trip is followed.
  public func hasTripModel(forTripName name: String) -> Bool { models.trips.has(name) }

  /// The models that are held or whose trips are followed, in no particular order.
  public var allTripModels: [TripModel] { models.trips.all }

  /// The models whose trips are followed now.
  public var activeTripModels: [TripModel] { allTripModels.filter { $0.state == .active } }
}

extension TripServiceProtocol {
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
    let request = GetTripRequest(name: name.description, view: view, routeFormatType: routeFormat)
    return try await getTrip(request, options: options).message
  }
}
