import CommandShell
package import Tripwire

/// The request of a search, without its page token.
package enum SearchQuery: Sendable {
  /// The things to find, by their names on the command line.
  package static let collections = ResourceKind.allCases.compactMap(\.collection)

  case trips(SearchTripsRequest)
  case vehicles(ListVehiclesRequest)
  case matches(SearchVehiclesRequest)
  case tasks(ListTasksRequest)
  case deliveryVehicles(ListDeliveryVehiclesRequest)

  package var path: String {
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

  package var messageName: String {
    if case .matches = self { VehicleMatch.messageName } else { kind.messageName }
  }

  /// The results, for people: "vehicles".
  package var noun: String { kind.plural }
}
