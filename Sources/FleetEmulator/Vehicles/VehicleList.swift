import FleetEngineAPI
import WireProtobuf

/// ListVehicles.
extension FleetEngine {
  func listVehicles(
    _ request: ListVehiclesRequest, at now: Timestamp
  ) throws(EngineError) -> ListVehiclesResponse {
    let required = try RequiredAttributes(request)
    let longest = request.maximumStaleness?.duration
    var violations = Violations()
    violations.requireParent(request.parent)
    violations.require(
      !request.vehicleTypeCategories.isEmpty
        && request.vehicleTypeCategories.allSatisfy { $0 != .unknown && $0.name != nil },
      "vehicle_type_categories")
    violations.require(
      request.tripTypes.allSatisfy { $0.name != nil }, "trip_types", "has a type that is not known")
    violations.require(request.vehicleState.name != nil, "vehicle_state", "is not a known value")
    violations.require(
      (request.minimumCapacity ?? 0) >= 0, "minimum_capacity", "must not be negative")
    violations.require(
      longest.map { $0 > .zero } ?? true, "maximum_staleness", "must be positive")
    violations.requireViewport(request.viewport)
    violations.requireFilter(request.filter, without: required)
    try violations.check()
    let filter = try ResourceFilter(request.filter)
    let page = try PageRequest(request)
    let vehicles = self[parent: request.parent].vehicles.resources
    let found = vehicles.filter { _, stored in
      let vehicle = stored.vehicle
      return request.vehicleTypeCategories.contains(vehicle.vehicleType?.category ?? .unknown)
        && vehicle.maximumCapacity >= request.minimumCapacity ?? 0
        && vehicle.supports(request.tripTypes)
        && (request.vehicleState == .unknown || vehicle.vehicleState == request.vehicleState)
        && (!request.onTripOnly || !vehicle.currentTrips.isEmpty)
        && (longest.map { vehicle.isReported(within: $0, of: now) } ?? true)
        && (request.viewport?.contains(vehicle.lastLocation?.location) ?? true)
        && required.matches(vehicle.attributes) && filter.matches(vehicle.attributes)
    }
    let (ids, token) = page.page(of: found.keys)
    return ListVehiclesResponse(
      vehicles: ids.compactMap { found[$0]?.answer(at: now) }, nextPageToken: token,
      totalSize: Int64(found.count))
  }
}

extension Vehicle {
  /// Whether it supports one of the types, or none is given.
  func supports(_ types: [TripType]) -> Bool {
    types.isEmpty || types.contains { supportedTripTypes.contains($0) }
  }

  /// Whether it has reported its location within a time.
  func isReported(within time: Duration, of now: Timestamp) -> Bool {
    lastLocation?.serverTime.map { now - $0 <= time } ?? false
  }
}

extension Violations {
  /// A viewport has two corners on the globe, and is not empty (google/geo/type/viewport.proto).
  mutating func requireViewport(_ viewport: Viewport?) {
    guard let viewport else { return }
    requirePlace(viewport.low, "viewport.low")
    requirePlace(viewport.high, "viewport.high")
    guard let low = viewport.low, let high = viewport.high else {
      return add("viewport", "needs low and high")
    }
    require(
      low.latitude <= high.latitude && !(low.longitude == 180 && high.longitude == -180),
      "viewport", "is empty")
  }
}

extension Viewport {
  /// Whether a place is in the viewport, which may cross the antimeridian.
  func contains(_ place: LatLng?) -> Bool {
    guard let place, let low, let high else { return false }
    let isBetween =
      low.longitude <= high.longitude
      ? low.longitude <= place.longitude && place.longitude <= high.longitude
      : place.longitude >= low.longitude || place.longitude <= high.longitude
    return isBetween && low.latitude <= place.latitude && place.latitude <= high.latitude
  }
}
