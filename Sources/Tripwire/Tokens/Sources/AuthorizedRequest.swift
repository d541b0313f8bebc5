/// A request of Fleet Engine, whose token is for the resources that it concerns.
package protocol AuthorizedRequest: Message {
  /// The resource, or the parent of those that the request creates or lists.
  var resourceName: String { get }
  /// Adds the resources that ``resourceName`` does not name.
  func addResources(to context: inout AuthorizationContext)
}

extension AuthorizedRequest {
  package func addResources(to context: inout AuthorizationContext) {}

  package var authorizationContext: AuthorizationContext {
    var context = AuthorizationContext(of: resourceName)
    addResources(to: &context)
    return context
  }
}

// MARK: Trips and vehicles

extension CreateTripRequest {
  package func addResources(to context: inout AuthorizationContext) {
    context.add(.trip, tripId)
    context.add(.vehicle, trip?.vehicleId ?? "")
  }
}

extension UpdateTripRequest {
  package func addResources(to context: inout AuthorizationContext) {
    context.add(.vehicle, trip?.vehicleId ?? "")
  }
}

extension CreateVehicleRequest {
  package func addResources(to context: inout AuthorizationContext) {
    context.add(.vehicle, vehicleId)
  }
}

// MARK: Deliveries

extension CreateTaskRequest {
  package func addResources(to context: inout AuthorizationContext) { context.add(.task, taskId) }
}

extension BatchCreateTasksRequest {
  /// More tasks than these get a token for all, because a server limits the size of headers.
  private static let mostTaskIDs = 20

  package func addResources(to context: inout AuthorizationContext) {
    context.taskIDs = requests.count > Self.mostTaskIDs ? ["*"] : requests.map(\.taskId)
  }
}

extension ListTasksRequest {
  package func addResources(to context: inout AuthorizationContext) { context.add(.task, "*") }
}

extension CreateDeliveryVehicleRequest {
  package func addResources(to context: inout AuthorizationContext) {
    context.add(.deliveryVehicle, deliveryVehicleId)
  }
}

extension UpdateDeliveryVehicleRequest {
  /// A new plan of stops assigns and closes tasks of any ID.
  package func addResources(to context: inout AuthorizationContext) {
    let isPlan = updateMask?.paths.contains { $0.hasPrefix("remaining_vehicle_journey_segments") }
    if isPlan == true { context.add(.task, "*") }
  }
}

extension ListDeliveryVehiclesRequest {
  package func addResources(to context: inout AuthorizationContext) {
    context.add(.deliveryVehicle, "*")
  }
}

extension AuthorizationContext {
  /// - Parameter id: empty for none.
  fileprivate mutating func add(_ kind: ResourceKind, _ id: String) {
    if !id.isEmpty { self[kind] = id }
  }
}
