import Tripwire

extension SearchQuery {
  /// - Parameters:
  ///   - collection: one of ``SearchRequest/collections``.
  ///   - parent: "providers/p".
  init(_ collection: String, in parent: String, _ options: SearchOptions) throws(UsageError) {
    try options.check(for: collection)
    if collection == "trips" {
      var request = SearchTripsRequest()
      request.parent = parent
      request.vehicleId = options.vehicleID ?? ""
      request.activeTripsOnly = options.isActive
      request.minimumStaleness = options.minimumStaleness.map(WireDuration.init)
      request.pageSize = options.requestedPageSize
      self = .trips(request)
    } else if collection == "tasks" {
      var request = ListTasksRequest()
      request.parent = parent
      request.pageSize = options.requestedPageSize
      request.filter = options.filter ?? ""
      self = .tasks(request)
    } else if collection == "delivery-vehicles" {
      var request = ListDeliveryVehiclesRequest()
      request.parent = parent
      request.pageSize = options.requestedPageSize
      request.filter = options.filter ?? ""
      let radius = try options.near.meters(in: NearOptions.radii)
      request.viewport =
        options.near.place.map { Viewport(around: $0, meters: Double(radius)) } ?? options.viewport
      self = .deliveryVehicles(request)
    } else if let place = options.near.place {
      self = .matches(try SearchVehiclesRequest(near: place, in: parent, options))
    } else {
      var request = ListVehiclesRequest()
      request.parent = parent
      request.pageSize = options.requestedPageSize
      request.minimumCapacity = options.capacity.map(Int32.init)
      request.tripTypes = options.tripTypes
      request.maximumStaleness = options.maximumStaleness.map(WireDuration.init)
      request.vehicleTypeCategories = options.categories
      request.requiredAttributes = options.attributes.map(\.text)
      request.requiredOneOfAttributes = options.oneOfAttributes.map(\.text)
      request.requiredOneOfAttributeSets = options.oneOfAttributeSets.map(\.text)
      request.vehicleState = options.state ?? .unknown
      request.onTripOnly = options.isOnTrip
      request.filter = options.filter ?? ""
      request.viewport = options.viewport
      self = .vehicles(request)
    }
  }
}

extension SearchVehiclesRequest {
  /// The largest count.
  private static let mostMatches = 50

  fileprivate init(
    near place: LatLng, in parent: String, _ options: SearchOptions
  ) throws(UsageError) {
    self.init()
    let near = options.near
    self.parent = parent
    pickupPoint = TerminalLocation(at: place)
    dropoffPoint = near.dropoff.map(TerminalLocation.init(at:))
    pickupRadiusMeters = Int32(try near.meters(in: NearOptions.radiiOfVehicles))
    count = Int32(min(options.limit ?? Self.mostMatches, Self.mostMatches))
    minimumCapacity = Int32(options.capacity ?? 1)
    tripTypes = options.tripTypes.isEmpty ? [.exclusive] : options.tripTypes
    maximumStaleness = options.maximumStaleness.map(WireDuration.init)
    vehicleTypes = options.categories.map { category in
      var type = Vehicle.VehicleType()
      type.category = category
      return type
    }
    requiredAttributes = options.attributes.flatMap(\.message.attributes)
    requiredOneOfAttributes = options.oneOfAttributes.map(\.message)
    requiredOneOfAttributeSets = options.oneOfAttributeSets.map(\.message)
    orderBy = near.order ?? .pickupPointDistance
    includeBackToBack = near.isBackToBack
    tripId = near.tripID ?? ""
    // A search for a shared trip must state it.
    currentTripsPresent =
      near.currentTrips ?? (tripTypes == [.shared] ? .any : .unspecified)
    filter = options.filter ?? ""
  }
}

extension TerminalLocation {
  fileprivate init(at point: LatLng) {
    self.init()
    self.point = point
  }
}

extension SearchOptions {
  /// The types to find. A request must name them, even if it is for all.
  fileprivate var categories: [Vehicle.VehicleType.Category] {
    types.isEmpty ? Self.vehicleTypes.map(\.category) : types
  }

  /// 0 lets the server choose.
  fileprivate var requestedPageSize: Int32 {
    let few = limit.flatMap { $0 <= 100 ? $0 : nil }
    return Int32([pageSize, few].compactMap { $0 }.min() ?? 0)
  }
}
