package import CommandLine
import Tripwire

extension SearchQuery {
  /// - Parameters:
  ///   - collection: one of ``collections``.
  ///   - word: before the collection on the command line: "search" or "--search".
  ///   - parent: "providers/p".
  ///   - limit: the maximum number of results; nil for all.
  package init(
    _ collection: String, after word: String, in parent: String, _ options: SearchCriteria,
    limit: Int? = nil, _ line: ParsedCommandLine
  ) throws(UsageError) {
    try options.check(for: collection, after: word, line)
    let pageSize = options.requestedPageSize(limit)
    let filter = options.filter ?? ""
    if collection == "trips" {
      self = .trips(
        SearchTripsRequest(
          parent: parent, vehicleId: options.vehicleID ?? "", activeTripsOnly: options.isActive,
          pageSize: pageSize, minimumStaleness: options.minimumStaleness.map(WireDuration.init)))
    } else if collection == "tasks" {
      self = .tasks(ListTasksRequest(parent: parent, pageSize: pageSize, filter: filter))
    } else if collection == "delivery-vehicles" {
      let radius = Double(try options.near.meters(in: NearOptions.radii))
      let viewport = options.near.place.map { Viewport(around: $0, meters: radius) }
      self = .deliveryVehicles(
        ListDeliveryVehiclesRequest(
          parent: parent, pageSize: pageSize, filter: filter, viewport: viewport ?? options.viewport
        ))
    } else if let place = options.near.place {
      self = .matches(try SearchVehiclesRequest(near: place, in: parent, options, limit))
    } else {
      self = .vehicles(
        ListVehiclesRequest(
          parent: parent, pageSize: pageSize,
          minimumCapacity: options.capacity.map(Int32.init), tripTypes: options.tripTypes,
          maximumStaleness: options.maximumStaleness.map(WireDuration.init),
          vehicleTypeCategories: options.categories,
          requiredAttributes: options.attributes.map(\.text),
          requiredOneOfAttributes: options.oneOfAttributes.map(\.text),
          requiredOneOfAttributeSets: options.oneOfAttributeSets.map(\.text),
          vehicleState: options.state ?? .unknown, onTripOnly: options.isOnTrip,
          filter: filter, viewport: options.viewport))
    }
  }
}

extension SearchVehiclesRequest {
  /// The largest count.
  private static let mostMatches = 50

  fileprivate init(
    near place: LatLng, in parent: String, _ options: SearchCriteria, _ limit: Int?
  ) throws(UsageError) {
    let near = options.near
    let tripTypes = options.tripTypes.isEmpty ? [.exclusive] : options.tripTypes
    self.init(
      parent: parent, pickupPoint: TerminalLocation(point: place),
      dropoffPoint: near.dropoff.map { TerminalLocation(point: $0) },
      pickupRadiusMeters: Int32(try near.meters(in: NearOptions.radiiOfVehicles)),
      count: Int32(min(limit ?? Self.mostMatches, Self.mostMatches)),
      minimumCapacity: Int32(options.capacity ?? 1), tripTypes: tripTypes,
      maximumStaleness: options.maximumStaleness.map(WireDuration.init),
      vehicleTypes: options.categories.map { Vehicle.VehicleType(category: $0) },
      requiredAttributes: options.attributes.flatMap(\.message.attributes),
      requiredOneOfAttributes: options.oneOfAttributes.map(\.message),
      requiredOneOfAttributeSets: options.oneOfAttributeSets.map(\.message),
      orderBy: near.order ?? .pickupPointDistance, includeBackToBack: near.isBackToBack,
      tripId: near.tripID ?? "",
      // A search for a shared trip must state it.
      currentTripsPresent: near.currentTrips ?? (tripTypes == [.shared] ? .any : .unspecified),
      filter: options.filter ?? "")
  }
}

extension SearchCriteria {
  /// The types to find. A request must name them, even if it is for all.
  fileprivate var categories: [Vehicle.VehicleType.Category] {
    types.isEmpty ? Self.vehicleTypes.map(\.category) : types
  }

  /// 0 lets the server choose.
  fileprivate func requestedPageSize(_ limit: Int?) -> Int32 {
    let few = limit.flatMap { $0 <= 100 ? $0 : nil }
    return Int32([pageSize, few].compactMap { $0 }.min() ?? 0)
  }
}
