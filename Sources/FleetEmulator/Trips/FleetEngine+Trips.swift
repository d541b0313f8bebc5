import FleetEngineAPI
import WireProtobuf

// TripService, by the rules of its reference:
// https://developers.google.com/maps/documentation/mobility/fleet-engine/reference/trips/rpc
extension FleetEngine {
  /// Returns the trip in binary form.
  mutating func getTrip(
    _ request: GetTripRequest, at now: Timestamp
  ) throws(EngineError) -> [UInt8] {
    let name = try ResourceName(checked: request.name, .trip)
    let answer = try self[provider: name.providerID].answer(name, at: now)
    return tripParts.with(request.name) { answer.bytes(for: request, &$0) }
  }

  mutating func createTrip(
    _ request: CreateTripRequest, at now: Timestamp
  ) throws(EngineError) -> Trip {
    let given = request.trip ?? Trip()
    var violations = Violations()
    violations.requireParent(request.parent)
    violations.requireID(request.tripId, of: .trip, "trip_id")
    violations.require(request.trip != nil, "trip")
    violations.requireTrip(given)
    try violations.check()
    let name = try ResourceName(
      checked: "\(request.parent)/trips/\(request.tripId)", .trip, "trip_id")
    // All other fields are ignored.
    var trip = Trip()
    trip.name = "\(name)"
    trip.tripStatus = .new
    trip.tripType = given.tripType
    trip.pickupPoint = given.pickupPoint
    trip.dropoffPoint = given.dropoffPoint
    trip.intermediateDestinations = given.intermediateDestinations
    if !given.intermediateDestinations.isEmpty { trip.intermediateDestinationsVersion = now }
    trip.numberOfPassengers = given.numberOfPassengers
    trip.attributes = given.attributes
    trip.vehicleId = given.vehicleId
    return try self[provider: name.providerID].create(
      trip, name, stops: given.vehicleWaypoints, at: now)
  }

  mutating func updateTrip(
    _ request: UpdateTripRequest, at now: Timestamp
  ) throws(EngineError) -> Trip {
    let name = try ResourceName(checked: request.name, .trip)
    let mask = try request.updateMask.checked(
      for: Trip.self, serverOwned: TripUpdate.serverOwned, immutable: TripUpdate.immutable)
    let update = TripUpdate(name: name, given: request.trip ?? Trip(), mask: mask)
    return try self[provider: name.providerID].update(update, at: now)
  }

  mutating func deleteTrip(_ request: DeleteTripRequest, at now: Timestamp) throws(EngineError)
    -> Empty
  {
    let name = try ResourceName(checked: request.name, .trip)
    try self[provider: name.providerID].delete(name)
    tripParts.forget(request.name)
    return Empty()
  }

  mutating func reportBillableTrip(_ request: ReportBillableTripRequest, at now: Timestamp)
    throws(EngineError) -> Empty
  {
    var violations = Violations()
    let parts = request.name.split(separator: "/", omittingEmptySubsequences: false)
    let isName =
      parts.count == 4 && parts[2] == "billableTrips"
      && (try? TripName("\(parts[0])/\(parts[1])/trips/\(parts[3])")) != nil
    violations.require(
      isName, "name", "must have the form providers/{provider}/billableTrips/{billable_trip}")
    violations.require(
      request.countryCode.count == 2
        && request.countryCode.allSatisfy { $0.isASCII && $0.isUppercase },
      "country_code", "must have two capital letters")
    violations.require(
      request.relatedIds.count <= Self.mostRelatedIDs, "related_ids",
      "has more than \(Self.mostRelatedIDs) IDs")
    try violations.check()
    return Empty()
  }

  private static let mostRelatedIDs = 50

  func searchTrips(
    _ request: SearchTripsRequest, at now: Timestamp
  ) throws(EngineError) -> SearchTripsResponse {
    var violations = Violations()
    violations.requireParent(request.parent)
    let staleness = request.minimumStaleness?.duration
    violations.require(
      (staleness ?? .zero) >= .zero, "minimum_staleness", "must not be negative")
    try violations.check()
    let provider = self[parent: request.parent]
    let page = try PageRequest(request)
    let matches = provider.trips.resources.lazy.filter { _, trip in
      (request.vehicleId.isEmpty || trip.vehicleID == request.vehicleId)
        && (!request.activeTripsOnly || trip.isActive)
        && (staleness.map { now - trip.updated >= $0 } ?? true)
    }
    let (ids, token) = page.page(of: matches.map(\.key))
    let trips = ids.compactMap { id in
      provider.answer(id, at: now).map { answer in
        var trip = answer.whole()
        // Without a vehicle, the search returns no routes.
        if request.vehicleId.isEmpty { trip.removeRoute() }
        return trip
      }
    }
    return SearchTripsResponse(trips: trips, nextPageToken: token)
  }
}

extension Trip {
  fileprivate mutating func removeRoute() {
    currentRouteSegment = ""
    route = []
    remainingWaypoints = []
    remainingDistanceMeters = nil
    etaToFirstWaypoint = nil
  }
}

extension Violations {
  private static let mostDestinations = 1_000

  /// The rules for a trip that is created or changed.
  mutating func requireTrip(_ trip: Trip) {
    require([.exclusive, .shared].contains(trip.tripType), "trip.trip_type")
    require(trip.pickupPoint?.point != nil, "trip.pickup_point")
    requirePlace(trip.pickupPoint?.point, "trip.pickup_point.point")
    require(trip.dropoffPoint.map { $0.point != nil } ?? true, "trip.dropoff_point")
    requirePlace(trip.dropoffPoint?.point, "trip.dropoff_point.point")
    require(
      trip.intermediateDestinations.count <= Self.mostDestinations,
      "trip.intermediate_destinations", "are more than \(Self.mostDestinations)")
    for (index, destination) in trip.intermediateDestinations.prefix(Self.mostDestinations)
      .enumerated()
    {
      let field = "trip.intermediate_destinations[\(index)]"
      require(destination.point != nil, field)
      requirePlace(destination.point, "\(field).point")
    }
    require(
      trip.intermediateDestinations.isEmpty || trip.tripType == .exclusive,
      "trip.intermediate_destinations", "is only for EXCLUSIVE trips")
    require(
      trip.numberOfPassengers >= 0, "trip.number_of_passengers", "must not be negative")
    requireAttributes(trip.attributes, "trip.attributes")
  }
}
