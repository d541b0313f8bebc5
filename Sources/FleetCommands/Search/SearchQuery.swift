import CommandCalls
import CommandShell
import Tripwire

/// The request of `tripwire search`, without its page token.
enum SearchQuery: Sendable {
  case trips(SearchTripsRequest)
  case vehicles(ListVehiclesRequest)
  case matches(SearchVehiclesRequest)
  case tasks(ListTasksRequest)
  case deliveryVehicles(ListDeliveryVehiclesRequest)

  /// The path of the method that is called.
  var path: String {
    switch self {
    case .trips: TripServiceMethods.searchTrips.path
    case .vehicles: VehicleServiceMethods.listVehicles.path
    case .matches: VehicleServiceMethods.searchVehicles.path
    case .tasks: DeliveryServiceMethods.listTasks.path
    case .deliveryVehicles: DeliveryServiceMethods.listDeliveryVehicles.path
    }
  }

  /// The kind of the results.
  private var kind: ResourceKind {
    switch self {
    case .trips: .trip
    case .vehicles, .matches: .vehicle
    case .tasks: .task
    case .deliveryVehicles: .deliveryVehicle
    }
  }

  /// The type of the results.
  var messageName: String {
    if case .matches = self { VehicleMatch.messageName } else { kind.messageName }
  }

  /// The results, for people: "vehicles".
  var noun: String { kind.noun + "s" }
}

/// The results of one call.
struct SearchPage {
  var results: [SearchResult]
  /// Empty on the last page.
  var nextToken = ""
  var unknownFieldCount: Int
}

/// One trip, vehicle, task or delivery vehicle.
enum SearchResult {
  case trip(Trip)
  case vehicle(Vehicle)
  case match(VehicleMatch)
  case task(DeliveryTask)
  case deliveryVehicle(DeliveryVehicle)

  var name: String {
    switch self {
    case .trip(let trip): trip.name
    case .vehicle(let vehicle): vehicle.name
    case .match(let match): match.vehicle?.name ?? ""
    case .task(let task): task.name
    case .deliveryVehicle(let vehicle): vehicle.name
    }
  }

  /// - Parameter fields: the fields to include; nil for all.
  func json(_ fields: ResponseFields?) throws(JSONEncodingError) -> String {
    switch self {
    case .trip(let trip): try fields.json(trip)
    case .vehicle(let vehicle): try fields.json(vehicle)
    case .match(let match): try fields.json(match)
    case .task(let task): try fields.json(task)
    case .deliveryVehicle(let vehicle): try fields.json(vehicle)
    }
  }
}

extension SearchQuery {
  /// Gets one page.
  ///
  /// - Parameter token: of the page; empty for the first.
  func page(
    _ token: String, of fleet: FleetServices, _ server: Server
  ) async throws(CallError) -> SearchPage {
    switch self {
    case .trips(var request):
      request.pageToken = token
      let response = try await fleet.tripService.searchTrips(
        request, options: options(TripServiceMethods.searchTrips, server))
      return SearchPage(
        results: response.message.trips.map { .trip($0) },
        nextToken: response.message.nextPageToken, unknownFieldCount: response.unknownFieldCount)
    case .vehicles(var request):
      request.pageToken = token
      let response = try await fleet.vehicleService.listVehicles(
        request, options: options(VehicleServiceMethods.listVehicles, server))
      return SearchPage(
        results: response.message.vehicles.map { .vehicle($0) },
        nextToken: response.message.nextPageToken, unknownFieldCount: response.unknownFieldCount)
    case .matches(let request):
      let response = try await fleet.vehicleService.searchVehicles(
        request, options: options(VehicleServiceMethods.searchVehicles, server))
      return SearchPage(
        results: response.message.matches.map { .match($0) },
        unknownFieldCount: response.unknownFieldCount)
    case .tasks(var request):
      request.pageToken = token
      let response = try await fleet.deliveryService.listTasks(
        request, options: options(DeliveryServiceMethods.listTasks, server))
      return SearchPage(
        results: response.message.tasks.map { .task($0) },
        nextToken: response.message.nextPageToken, unknownFieldCount: response.unknownFieldCount)
    case .deliveryVehicles(var request):
      request.pageToken = token
      let response = try await fleet.deliveryService.listDeliveryVehicles(
        request, options: options(DeliveryServiceMethods.listDeliveryVehicles, server))
      return SearchPage(
        results: response.message.deliveryVehicles.map { .deliveryVehicle($0) },
        nextToken: response.message.nextPageToken, unknownFieldCount: response.unknownFieldCount)
    }
  }

  private func options<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ server: Server
  ) -> CallOptions {
    var options = server.callOptions(method.retryPolicy, isOnlyCall: true)
    // The service config has no timeout for ListVehicles.
    options.timeout = options.timeout ?? method.timeout ?? TripServiceMethods.searchTrips.timeout
    return options
  }
}
