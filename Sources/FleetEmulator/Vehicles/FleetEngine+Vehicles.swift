import FleetEngineAPI
import WireProtobuf

// VehicleService, by the rules of its reference:
// https://developers.google.com/maps/documentation/mobility/fleet-engine/reference/trips/rpc
extension FleetEngine {
  func getVehicle(_ request: GetVehicleRequest, at now: Timestamp) throws(EngineError) -> Vehicle {
    let name = try ResourceName(checked: request.name, .vehicle)
    var vehicle = try self[provider: name.providerID].vehicle(name).answer(at: now)
    if !vehicle.currentRouteSegmentVersion.isNewer(than: request.currentRouteSegmentVersion) {
      vehicle.currentRouteSegment = ""
    }
    if !vehicle.waypointsVersion.isNewer(than: request.waypointsVersion) { vehicle.waypoints = [] }
    return vehicle
  }

  mutating func createVehicle(
    _ request: CreateVehicleRequest, at now: Timestamp
  ) throws(EngineError) -> Vehicle {
    let given = request.vehicle ?? Vehicle()
    var violations = Violations()
    violations.requireParent(request.parent)
    violations.requireID(request.vehicleId, of: .vehicle, "vehicle_id")
    violations.require(request.vehicle != nil, "vehicle")
    violations.requireVehicle(given)
    violations.requireLocation(given.lastLocation, "vehicle.last_location")
    try violations.check()
    let name = try ResourceName(
      checked: "\(request.parent)/vehicles/\(request.vehicleId)", .vehicle, "vehicle_id")
    guard self[provider: name.providerID].vehicles[name.id] == nil else {
      throw .alreadyExists(name)
    }
    var vehicle = Vehicle()
    vehicle.replaceFields(from: given, VehicleUpdate.created)
    vehicle.name = "\(name)"
    vehicle.attributes = given.attributes.map(\.completed)
    vehicle.lastLocation?.serverTime = now
    let stored = StoredVehicle(vehicle)
    self[provider: name.providerID].vehicles[name.id] = stored
    return stored.answer(at: now)
  }

  mutating func updateVehicle(
    _ request: UpdateVehicleRequest, at now: Timestamp
  ) throws(EngineError) -> Vehicle {
    let name = try ResourceName(checked: request.name, .vehicle)
    let mask = try request.updateMask.checked(
      for: Vehicle.self, serverOwned: VehicleUpdate.serverOwned)
    let update = VehicleUpdate(
      given: request.vehicle ?? Vehicle(), mask: accepted(mask, of: name, at: now))
    let changed = try update.apply(to: self[provider: name.providerID].vehicle(name), at: now)
    self[provider: name.providerID].change(tripsOf: [name.id], at: now) { state in
      state.vehicles[name.id] = changed
    }
    return changed.answer(at: now)
  }

  mutating func updateVehicleAttributes(
    _ request: UpdateVehicleAttributesRequest, at now: Timestamp
  ) throws(EngineError) -> UpdateVehicleAttributesResponse {
    let name = try ResourceName(checked: request.name, .vehicle)
    var vehicle = try self[provider: name.providerID].vehicle(name)
    var violations = Violations()
    violations.require(!request.attributes.isEmpty, "attributes")
    violations.requireAttributes(request.attributes, "attributes")
    try violations.check()
    for attribute in request.attributes.map(\.completed) {
      let place = vehicle.vehicle.attributes.firstIndex { $0.key == attribute.key }
      if let place {
        vehicle.vehicle.attributes[place] = attribute
      } else {
        vehicle.vehicle.attributes.append(attribute)
      }
    }
    guard vehicle.vehicle.attributes.count <= Violations.mostAttributes else {
      throw .invalid(
        "attributes", "are more than \(Violations.mostAttributes) with the present ones")
    }
    self[provider: name.providerID].vehicles[name.id] = vehicle
    return UpdateVehicleAttributesResponse(attributes: vehicle.vehicle.attributes)
  }

  mutating func deleteVehicle(_ request: DeleteVehicleRequest, at now: Timestamp)
    throws(EngineError) -> Empty
  {
    let name = try ResourceName(checked: request.name, .vehicle)
    let vehicle = try self[provider: name.providerID].vehicle(name).vehicle
    guard vehicle.currentTrips.isEmpty else {
      throw .failedPrecondition(
        "VEHICLE_HAS_TRIPS", name,
        "has the active trips \(vehicle.currentTrips.joined(separator: ", "))")
    }
    self[provider: name.providerID].vehicles[name.id] = nil
    return Empty()
  }
}

extension ProviderState {
  func vehicle(_ name: ResourceName) throws(EngineError) -> StoredVehicle {
    guard let vehicle = vehicles[name.id] else {
      throw .notFound(name)
    }
    return vehicle
  }
}

extension Violations {
  /// The rules for a vehicle that is created or changed.
  mutating func requireVehicle(_ vehicle: Vehicle) {
    require([.online, .offline].contains(vehicle.vehicleState), "vehicle.vehicle_state")
    require(
      !vehicle.supportedTripTypes.isEmpty
        && vehicle.supportedTripTypes.allSatisfy { [.shared, .exclusive].contains($0) },
      "vehicle.supported_trip_types")
    require(vehicle.maximumCapacity >= 1, "vehicle.maximum_capacity", "must be at least 1")
    let category = vehicle.vehicleType?.category ?? .unknown
    require(category != .unknown && category.name != nil, "vehicle.vehicle_type")
    requireAttributes(vehicle.attributes, "vehicle.attributes")
    require(
      vehicle.licensePlate.map { !$0.countryCode.isEmpty } ?? true,
      "vehicle.license_plate.country_code")
  }
}
