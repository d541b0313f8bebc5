import Tripwire

extension SearchQuery {
  /// The largest count of SearchVehicles.
  private static let mostMatches = 50

  /// - Parameters:
  ///   - collection: "trips" or "vehicles".
  ///   - parent: "providers/p".
  init(_ collection: String, in parent: String, _ options: SearchOptions) throws(UsageError) {
    try options.check(for: collection)
    if collection == "trips" {
      var request = SearchTripsRequest()
      request.parent = parent
      request.vehicleId = options.vehicleID ?? ""
      request.activeTripsOnly = options.isActive
      request.pageSize = options.requestedPageSize
      self = .trips(request)
    } else if let place = options.place {
      var request = SearchVehiclesRequest()
      request.parent = parent
      request.pickupPoint = TerminalLocation()
      request.pickupPoint?.point = place
      request.pickupRadiusMeters = Int32(options.radius ?? 5_000)
      request.count = Int32(min(options.limit ?? Self.mostMatches, Self.mostMatches))
      request.minimumCapacity = Int32(options.capacity ?? 1)
      let tripType = options.tripType ?? .exclusive
      request.tripTypes = [tripType]
      // A search for a shared trip must state it.
      if tripType == .shared { request.currentTripsPresent = .any }
      request.vehicleTypes = options.categories.map { category in
        var type = Vehicle.VehicleType()
        type.category = category
        return type
      }
      request.orderBy = .pickupPointDistance
      request.filter = options.filter ?? ""
      self = .matches(request)
    } else {
      var request = ListVehiclesRequest()
      request.parent = parent
      request.pageSize = options.requestedPageSize
      request.minimumCapacity = options.capacity.map(Int32.init)
      request.vehicleTypeCategories = options.categories
      request.vehicleState = options.state ?? .unknown
      request.onTripOnly = options.isOnTrip
      request.filter = options.filter ?? ""
      self = .vehicles(request)
    }
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

  /// Rejects options that the request has no field for.
  fileprivate func check(for collection: String) throws(UsageError) {
    let ofTrips = [("vehicle", vehicleID != nil), ("active", isActive)]
    let ofNear = [("radius", radius != nil), ("trip-type", tripType != nil)]
    let ofList = [("state", state != nil), ("on-trip", isOnTrip), ("page-size", pageSize != nil)]
    let ofVehicles = [
      ("filter", filter != nil), ("state", state != nil), ("on-trip", isOnTrip),
      ("capacity", capacity != nil), ("vehicle-type", !types.isEmpty), ("near", place != nil),
    ]
    func first(_ options: [(String, Bool)]) -> String? {
      options.first(where: \.1).map { "--\($0.0)" }
    }
    if collection == "trips" {
      if let option = first(ofVehicles + ofNear) {
        throw .conflict(option, "search trips", hint: "remove \(option), or search vehicles")
      }
    } else if let option = first(ofTrips) {
      throw .conflict(option, "search vehicles", hint: "remove \(option), or search trips")
    } else if place == nil, let option = first(ofNear) {
      throw .requirement(of: option, "--near")
    } else if place != nil, let option = first(ofList) {
      throw .conflict(option, "--near")
    }
  }
}
