package import CommandShell
package import Tripwire

package struct SearchPage {
  package fileprivate(set) var results: [any SearchResult]
  /// Empty on the last page.
  let nextToken: String
  package let unknownFieldCount: Int

  fileprivate init<Response>(
    _ response: CallResponse<Response>, _ results: [any SearchResult], next token: String = ""
  ) {
    self.results = results
    nextToken = token
    unknownFieldCount = response.unknownFieldCount
  }
}

/// The pages of a search, which are requested one after another.
package struct SearchPages {
  private let query: SearchQuery
  private let fleet: FleetServices
  private let server: Server
  private let limit: Int?
  private let isOnlyCall: Bool
  /// Only hashes are kept, because a token may be as long as a response. They differ for millions of tokens.
  private var tokens: Set<Int> = []
  /// Of the next page; nil after the last one.
  private var token: String? = ""
  /// Whether the search ended because the server repeated a page token.
  package private(set) var isTokenRepeated = false
  package private(set) var pageCount = 0
  package private(set) var resultCount = 0

  /// - Parameters:
  ///   - limit: the maximum number of results; nil for all.
  ///   - isOnlyCall: whether --timeout is for the whole command, and not for each of its calls.
  package init(
    _ query: SearchQuery, of fleet: FleetServices, _ server: Server, limit: Int? = nil,
    isOnlyCall: Bool
  ) {
    (self.query, self.fleet, self.server) = (query, fleet, server)
    (self.limit, self.isOnlyCall) = (limit, isOnlyCall)
  }

  /// Gets the next page; nil after the last one.
  package mutating func next() async throws(CallError) -> SearchPage? {
    guard let token else { return nil }
    var page = try await query.page(token, of: fleet, server, isOnlyCall: isOnlyCall)
    if let limit { page.results = Array(page.results.prefix(limit - resultCount)) }
    pageCount += 1
    resultCount += page.results.count
    isTokenRepeated =
      resultCount != limit && !tokens.insert(page.nextToken.hashValue).inserted
    let isLast = page.nextToken.isEmpty || isTokenRepeated || resultCount == limit
    self.token = isLast ? nil : page.nextToken
    return page
  }
}

extension SearchQuery {
  /// Gets one page.
  ///
  /// - Parameter token: of the page; empty for the first.
  fileprivate func page(
    _ token: String, of fleet: FleetServices, _ server: Server, isOnlyCall: Bool
  ) async throws(CallError) -> SearchPage {
    func options<Request, Response>(
      _ method: MethodDescriptor<Request, Response>
    ) -> CallOptions {
      var options = server.callOptions(method.retryPolicy, isOnlyCall: isOnlyCall)
      // The service config has no timeout for ListVehicles.
      options.timeout =
        options.timeout ?? method.timeout ?? TripServiceMethods.searchTrips.timeout
      return options
    }
    switch self {
    case .trips(var request):
      request.pageToken = token
      let response = try await fleet.tripService.searchTrips(
        request, options: options(TripServiceMethods.searchTrips))
      return SearchPage(
        response, response.message.trips, next: response.message.nextPageToken)
    case .vehicles(var request):
      request.pageToken = token
      let response = try await fleet.vehicleService.listVehicles(
        request, options: options(VehicleServiceMethods.listVehicles))
      return SearchPage(
        response, response.message.vehicles, next: response.message.nextPageToken)
    case .matches(let request):
      let response = try await fleet.vehicleService.searchVehicles(
        request, options: options(VehicleServiceMethods.searchVehicles))
      return SearchPage(response, response.message.matches)
    case .tasks(var request):
      request.pageToken = token
      let response = try await fleet.deliveryService.listTasks(
        request, options: options(DeliveryServiceMethods.listTasks))
      return SearchPage(
        response, response.message.tasks, next: response.message.nextPageToken)
    case .deliveryVehicles(var request):
      request.pageToken = token
      let response = try await fleet.deliveryService.listDeliveryVehicles(
        request, options: options(DeliveryServiceMethods.listDeliveryVehicles))
      return SearchPage(
        response, response.message.deliveryVehicles, next: response.message.nextPageToken)
    }
  }
}
