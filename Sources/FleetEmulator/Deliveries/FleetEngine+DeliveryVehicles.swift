import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

// The methods of DeliveryService for delivery vehicles, by the rules of its reference:
// https://developers.google.com/maps/documentation/mobility/fleet-engine/reference/tasks/rpc
extension FleetEngine {
  func getDeliveryVehicle(
    _ request: GetDeliveryVehicleRequest, at now: Timestamp
  ) throws(EngineError) -> DeliveryVehicle {
    let name = try ResourceName(checked: request.name, .deliveryVehicle)
    let provider = self[provider: name.providerID]
    var vehicle = try provider.deliveryVehicle(name).answer(at: now)
    // Only this response has the time windows (reference, `TaskInfo.target_time_window`).
    for index in vehicle.remainingVehicleJourneySegments.indices {
      provider.addWindows(to: &vehicle.remainingVehicleJourneySegments[index])
    }
    return vehicle
  }

  mutating func createDeliveryVehicle(
    _ request: CreateDeliveryVehicleRequest, at now: Timestamp
  ) throws(EngineError) -> DeliveryVehicle {
    let given = request.deliveryVehicle ?? DeliveryVehicle()
    var violations = Violations()
    violations.requireParent(request.parent)
    violations.requireID(
      request.deliveryVehicleId, of: .deliveryVehicle, "delivery_vehicle_id")
    violations.require(request.deliveryVehicle != nil, "delivery_vehicle")
    let settable: Set = ["type", "last_location", "attributes"]
    // The name is ignored.
    violations.requireUnset(except: settable.union(["name"]), in: given, "delivery_vehicle")
    violations.requireDeliveryVehicle(given)
    try violations.check()
    let name = try ResourceName(
      checked: "\(request.parent)/deliveryVehicles/\(request.deliveryVehicleId)",
      .deliveryVehicle, "delivery_vehicle_id")
    guard self[provider: name.providerID].deliveryVehicles[name.id] == nil else {
      throw .alreadyExists(name)
    }
    var vehicle = StoredDeliveryVehicle(DeliveryVehicle(name: "\(name)"))
    vehicle.replaceFields(from: given, FieldMask(settable.sorted()), at: now)
    self[provider: name.providerID].deliveryVehicles[name.id] = vehicle
    return vehicle.answer(at: now)
  }

  mutating func updateDeliveryVehicle(
    _ request: UpdateDeliveryVehicleRequest, at now: Timestamp
  ) throws(EngineError) -> DeliveryVehicle {
    let given = request.deliveryVehicle ?? DeliveryVehicle()
    let name = try ResourceName(
      checked: given.name, .deliveryVehicle, "delivery_vehicle.name")
    let mask = try request.updateMask.checked(
      for: DeliveryVehicle.self, serverOwned: DeliveryVehicleUpdate.serverOwned)
    let update = DeliveryVehicleUpdate(
      name: name, given: given, mask: accepted(mask, of: name, at: now))
    return try self[provider: name.providerID].update(update, at: now).answer(at: now)
  }

  mutating func deleteDeliveryVehicle(
    _ request: DeleteDeliveryVehicleRequest, at now: Timestamp
  ) throws(EngineError) -> Empty {
    let name = try ResourceName(checked: request.name, .deliveryVehicle)
    let tasks = try self[provider: name.providerID].deliveryVehicle(name).taskIDs
    guard tasks.isEmpty else {
      throw .failedPrecondition(
        "DELIVERY_VEHICLE_HAS_TASKS", name,
        "has the open tasks \(tasks.joined(separator: ", "))")
    }
    self[provider: name.providerID].deliveryVehicles[name.id] = nil
    return Empty()
  }

  func listDeliveryVehicles(
    _ request: ListDeliveryVehiclesRequest, at now: Timestamp
  ) throws(EngineError) -> ListDeliveryVehiclesResponse {
    var violations = Violations()
    violations.requireParent(request.parent)
    violations.requireViewport(request.viewport)
    try violations.check()
    let filter = try ResourceFilter(request.filter)
    let page = try PageRequest(request)
    let vehicles = self[parent: request.parent].deliveryVehicles.resources
    let found = vehicles.filter { _, stored in
      (request.viewport?.contains(stored.vehicle.lastLocation?.location) ?? true)
        && filter.matches(stored.vehicle.attributes)
    }
    let (ids, token) = page.page(of: found.keys)
    let answers = ids.compactMap { id in
      found[id].map { stored in
        var vehicle = stored.answer(at: now)
        // A list has no journeys (reference, `remaining_vehicle_journey_segments`).
        vehicle.remainingVehicleJourneySegments = []
        return vehicle
      }
    }
    return ListDeliveryVehiclesResponse(
      deliveryVehicles: answers, nextPageToken: token, totalSize: Int64(found.count))
  }
}
