import FleetEngineAPI
import WireProtobuf

/// SearchVehicles. Distances and times without a report are those of straight lines at a usual speed.
extension FleetEngine {
  func searchVehicles(
    _ request: SearchVehiclesRequest, at now: Timestamp
  ) throws(EngineError) -> SearchVehiclesResponse {
    let search = try VehicleSearch(request, at: now)
    let provider = self[parent: request.parent]
    let matches = provider.vehicles.resources.values.compactMap { search.match($0, of: provider) }
    let found = matches.sorted { search.precedes($0, $1) }.prefix(Int(request.count))
    return SearchVehiclesResponse(matches: Array(found))
  }
}

private struct VehicleSearch {
  private static let defaultStaleness = Duration.seconds(300)
  /// The most trips and stops of a vehicle that can take another trip (reference, `CurrentTripsPresent.ANY`).
  private static let mostTrips = 5
  private static let mostStops = 10

  private let request: SearchVehiclesRequest
  private let required: RequiredAttributes
  private let filter: ResourceFilter
  private let pickup: LatLng
  private let now: Timestamp

  init(_ request: SearchVehiclesRequest, at now: Timestamp) throws(EngineError) {
    self.request = request
    self.now = now
    required = RequiredAttributes(request)
    pickup = request.pickupPoint?.point ?? LatLng()
    var violations = Violations()
    violations.requireParent(request.parent)
    violations.require(request.pickupPoint?.point != nil, "pickup_point")
    violations.requirePlace(request.pickupPoint?.point, "pickup_point.point")
    violations.requirePlace(request.dropoffPoint?.point, "dropoff_point.point")
    violations.require(
      400...10_000 ~= request.pickupRadiusMeters, "pickup_radius_meters",
      "must be between 400 and 10000")
    violations.require(1...50 ~= request.count, "count", "must be between 1 and 50")
    violations.require(request.minimumCapacity >= 1, "minimum_capacity", "must be at least 1")
    violations.require(
      request.tripTypes.count == 1
        && request.tripTypes.allSatisfy { $0 != .unknown && $0.name != nil }, "trip_types",
      "must have exactly one type")
    violations.require(
      !request.vehicleTypes.isEmpty
        && request.vehicleTypes.allSatisfy { $0.category != .unknown && $0.category.name != nil },
      "vehicle_types")
    violations.require(request.orderBy != .unknown && request.orderBy.name != nil, "order_by")
    violations.require(
      request.currentTripsPresent.name != nil, "current_trips_present", "is not a known value")
    if !request.tripId.isEmpty { violations.requireID(request.tripId, of: .trip, "trip_id") }
    let isShared = request.tripTypes.contains(.shared)
    violations.require(
      request.dropoffPoint != nil || !isShared && request.orderBy != .dropoffPointEta,
      "dropoff_point", "is required for SHARED trips, and for the order DROPOFF_POINT_ETA")
    violations.require(
      request.dropoffPoint.map { $0.point != nil } ?? true, "dropoff_point", "has no point")
    violations.require(
      !isShared || request.currentTripsPresent != .unspecified, "current_trips_present",
      "is required for SHARED trips")
    violations.require(
      !request.includeBackToBack || request.currentTripsPresent == .unspecified,
      "include_back_to_back", "cannot be combined with current_trips_present")
    violations.require(
      (request.maximumStaleness?.duration ?? .seconds(1)) > .zero, "maximum_staleness",
      "must be positive")
    violations.requireFilter(request.filter, without: required)
    try violations.check()
    filter = try ResourceFilter(request.filter)
  }

  /// Returns nil for a vehicle that does not match.
  func match(_ stored: StoredVehicle, of provider: ProviderState) -> VehicleMatch? {
    let vehicle = stored.vehicle
    guard let place = vehicle.lastLocation?.location else { return nil }
    let straight = place.meters(to: pickup)
    let staleness = request.maximumStaleness?.duration ?? Self.defaultStaleness
    let categories = request.vehicleTypes.map(\.category)
    guard straight <= Double(request.pickupRadiusMeters), vehicle.vehicleState == .online,
      Int(vehicle.maximumCapacity) - takenSeats(vehicle, of: provider)
        >= Int(request.minimumCapacity), vehicle.supports(request.tripTypes),
      categories.contains(vehicle.vehicleType?.category ?? .unknown),
      vehicle.isReported(within: staleness, of: now), permitsTrip(vehicle, of: provider),
      required.matches(vehicle.attributes), filter.matches(vehicle.attributes)
    else { return nil }
    return match(stored, of: provider, from: place, straight)
  }

  /// The seats that the passengers of the present trips need at the same time as those of a shared trip.
  private func takenSeats(_ vehicle: Vehicle, of provider: ProviderState) -> Int {
    guard request.tripTypes == [.shared] else { return 0 }
    return sharedTrips(vehicle, of: provider).reduce(0) { $0 + Int($1.numberOfPassengers) }
  }

  private func sharedTrips(_ vehicle: Vehicle, of provider: ProviderState) -> [Trip] {
    vehicle.currentTrips.compactMap { provider.trips[$0]?.trip }.filter { $0.tripType == .shared }
  }

  /// How the trip fits with the present ones.
  private func type(
    _ vehicle: Vehicle, of provider: ProviderState
  ) -> VehicleMatch.VehicleMatchType {
    if vehicle.currentTrips.isEmpty { return .exclusive }
    guard request.tripTypes == [.shared] else { return .backToBack }
    let shared = sharedTrips(vehicle, of: provider)
    return shared.count == vehicle.currentTrips.count ? .carpool : .carpoolBackToBack
  }

  /// Whether the trips of a vehicle permit another one.
  private func permitsTrip(_ vehicle: Vehicle, of provider: ProviderState) -> Bool {
    switch request.currentTripsPresent {
    case .noneValue: return vehicle.currentTrips.isEmpty
    case .any:
      return vehicle.currentTrips.count <= Self.mostTrips
        && vehicle.waypoints.count <= Self.mostStops
    default:
      let statuses = vehicle.currentTrips.map { provider.trips[$0]?.status }
      return statuses.isEmpty
        || request.includeBackToBack && vehicle.backToBackEnabled && statuses == [.enrouteToDropoff]
    }
  }

  private func match(
    _ stored: StoredVehicle, of provider: ProviderState, from place: LatLng, _ straight: Double
  ) -> VehicleMatch {
    var (last, meters, eta) = (place, 0.0, now)
    var waypoints = [Waypoint(latLng: place, eta: now)]
    for (index, stop) in stored.timetable.enumerated() {
      let next = stop.location?.point ?? last
      let distance = stop.distanceMeters.map(Double.init) ?? last.meters(to: next)
      // The time to the first stop is reported as its ETA.
      let drive =
        index == 0 && stop.eta != nil ? .zero : stop.duration?.duration ?? .driving(distance)
      eta = max(stop.eta ?? eta, eta + drive)
      meters += distance
      waypoints.append(Waypoint(latLng: next, eta: eta))
      last = next
    }
    meters += last.meters(to: pickup)
    eta = eta + .driving(last.meters(to: pickup))
    var match = VehicleMatch()
    match.vehicle = stored.answer(at: now)
    match.tripType = request.tripTypes[0]
    match.requestedOrderedBy = request.orderBy
    match.orderedBy = request.orderBy
    match.vehicleMatchType = type(stored.vehicle, of: provider)
    match.vehiclePickupStraightLineDistanceMeters = Int32(meters: straight)
    match.vehiclePickupDistanceMeters = Int32(meters: meters)
    match.vehiclePickupEta = eta
    match.vehicleTripsWaypoints = waypoints + [Waypoint(latLng: pickup, eta: eta)]
    if let dropoff = request.dropoffPoint?.point {
      let ride = pickup.meters(to: dropoff)
      match.vehiclePickupToDropoffDistanceMeters = Int32(meters: ride)
      match.vehicleDropoffEta = eta + .driving(ride)
    }
    return match
  }

  /// Orders two matches, those with equal keys by name.
  func precedes(_ a: VehicleMatch, _ b: VehicleMatch) -> Bool {
    let (one, other) = (key(a), key(b))
    return one == other ? (a.vehicle?.name ?? "") < (b.vehicle?.name ?? "") : one < other
  }

  private func key(_ match: VehicleMatch) -> Double {
    switch request.orderBy {
    case .pickupPointStraightDistance: Double(match.vehiclePickupStraightLineDistanceMeters ?? 0)
    case .pickupPointDistance: Double(match.vehiclePickupDistanceMeters ?? 0)
    case .dropoffPointEta: match.vehicleDropoffEta?.secondsSince1970 ?? 0
    default: match.vehiclePickupEta?.secondsSince1970 ?? 0
    }
  }
}
