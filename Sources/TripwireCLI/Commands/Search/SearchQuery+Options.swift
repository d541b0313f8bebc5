import Tripwire
import WireSystem

extension SearchQuery {
  /// The largest count of SearchVehicles.
  private static let mostMatches = 50

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
      let radius = try options.meters(in: SearchOptions.radii)
      request.viewport = options.place.map { Viewport(around: $0, meters: Double(radius)) }
      self = .deliveryVehicles(request)
    } else if let place = options.place {
      var request = SearchVehiclesRequest()
      request.parent = parent
      request.pickupPoint = TerminalLocation()
      request.pickupPoint?.point = place
      request.pickupRadiusMeters = Int32(try options.meters(in: SearchOptions.radiiOfVehicles))
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
    let given = [
      ("vehicle", vehicleID != nil), ("active", isActive), ("filter", filter != nil),
      ("state", state != nil), ("on-trip", isOnTrip), ("capacity", capacity != nil),
      ("vehicle-type", !types.isEmpty), ("near", place != nil), ("radius", radius != nil),
      ("trip-type", tripType != nil),
    ].filter(\.1).map(\.0)
    for option in given {
      let users = Self.users(of: option)
      guard !users.contains(collection) else { continue }
      let list = [users.dropLast().joined(separator: ", "), users.last ?? ""]
        .filter { !$0.isEmpty }.joined(separator: " or ")
      throw .conflict(
        "--\(option)", "search \(collection)", hint: "remove --\(option), or search \(list)")
    }
    if place == nil, let option = given.first(where: { $0 == "radius" || $0 == "trip-type" }) {
      throw .requirement(of: "--\(option)", "--near")
    }
    guard collection == "vehicles", place != nil else { return }
    let ofList = given.filter { $0 == "state" || $0 == "on-trip" }
    if let option = (ofList + (pageSize == nil ? [] : ["page-size"])).first {
      throw .conflict("--\(option)", "--near")
    }
  }

  /// Returns the radius in meters.
  fileprivate func meters(in range: ClosedRange<Int>) throws(UsageError) -> Int {
    guard let radius else { return Self.radius }
    do throws(InvalidValue) {
      return try Parse.count(range)(radius)
    } catch {
      throw UsageError(error, in: radius, of: "--radius ")
    }
  }

  /// The collections that an option is for.
  private static func users(of option: String) -> [String] {
    switch option {
    case "vehicle", "active": ["trips"]
    case "filter": ["vehicles", "tasks", "delivery-vehicles"]
    case "near", "radius": ["vehicles", "delivery-vehicles"]
    default: ["vehicles"]
    }
  }
}

extension Viewport {
  /// Creates the smallest rectangle with a circle around a place.
  init(around place: LatLng, meters: Double) {
    let degrees = meters / earthRadius * 180 / .pi
    // Meridians are closer to each other away from the equator. At a pole they meet.
    let shrinking = cos(min(abs(place.latitude) + degrees, 90) * .pi / 180)
    let width = shrinking > degrees / 180 ? degrees / shrinking : 180
    self.init()
    var (low, high) = (LatLng(), LatLng())
    low.latitude = max(-90, place.latitude - degrees)
    high.latitude = min(90, place.latitude + degrees)
    if width >= 180 {
      (low.longitude, high.longitude) = (-180, 180)
    } else {
      low.longitude = wrapped(place.longitude - width)
      high.longitude = wrapped(place.longitude + width)
    }
    (self.low, self.high) = (low, high)
  }
}

/// Returns a longitude from -180 to 180. A rectangle across the 180th meridian ends west of its start.
private func wrapped(_ longitude: Double) -> Double {
  longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
}
