import CommandShell
import Tripwire

/// The request of `tripwire search`, without its page token.
enum SearchQuery: Sendable {
  case trips(SearchTripsRequest)
  case vehicles(ListVehiclesRequest)
  case matches(SearchVehiclesRequest)
  case tasks(ListTasksRequest)
  case deliveryVehicles(ListDeliveryVehiclesRequest)

  var path: String {
    switch self {
    case .trips: TripServiceMethods.searchTrips.path
    case .vehicles: VehicleServiceMethods.listVehicles.path
    case .matches: VehicleServiceMethods.searchVehicles.path
    case .tasks: DeliveryServiceMethods.listTasks.path
    case .deliveryVehicles: DeliveryServiceMethods.listDeliveryVehicles.path
    }
  }

  private var kind: ResourceKind {
    switch self {
    case .trips: .trip
    case .vehicles, .matches: .vehicle
    case .tasks: .task
    case .deliveryVehicles: .deliveryVehicle
    }
  }

  var messageName: String {
    if case .matches = self { VehicleMatch.messageName } else { kind.messageName }
  }

  /// The results, for people: "vehicles".
  var noun: String { kind.plural }
}

struct SearchPage {
  var results: [any SearchResult]
  /// Empty on the last page.
  let nextToken: String
  let unknownFieldCount: Int

  fileprivate init<Response>(
    _ response: CallResponse<Response>, _ results: [any SearchResult], next token: String = ""
  ) {
    self.results = results
    nextToken = token
    unknownFieldCount = response.unknownFieldCount
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
        response, response.message.trips, next: response.message.nextPageToken)
    case .vehicles(var request):
      request.pageToken = token
      let response = try await fleet.vehicleService.listVehicles(
        request, options: options(VehicleServiceMethods.listVehicles, server))
      return SearchPage(
        response, response.message.vehicles, next: response.message.nextPageToken)
    case .matches(let request):
      let response = try await fleet.vehicleService.searchVehicles(
        request, options: options(VehicleServiceMethods.searchVehicles, server))
      return SearchPage(response, response.message.matches)
    case .tasks(var request):
      request.pageToken = token
      let response = try await fleet.deliveryService.listTasks(
        request, options: options(DeliveryServiceMethods.listTasks, server))
      return SearchPage(
        response, response.message.tasks, next: response.message.nextPageToken)
    case .deliveryVehicles(var request):
      request.pageToken = token
      let response = try await fleet.deliveryService.listDeliveryVehicles(
        request, options: options(DeliveryServiceMethods.listDeliveryVehicles, server))
      return SearchPage(
        response, response.message.deliveryVehicles, next: response.message.nextPageToken)
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
