import FleetEngineAPI
import WireProtobuf

// VehicleService, by the rules of its reference:
// https://developers.google.com/maps/documentation/mobility/fleet-engine/reference/trips/rpc
extension FleetEngine {
  func getVehicle(_ request: GetVehicleRequest, at now: Timestamp) throws(EngineError) -> Vehicle {
    let name = try VehicleName(checked: request.name)
    var vehicle = try self[provider: name.providerID].vehicle(name).vehicle
    if let known = request.currentRouteSegmentVersion,
      vehicle.currentRouteSegmentVersion.map({ $0 <= known }) ?? true
    {
      vehicle.currentRouteSegment = ""
    }
    if let known = request.waypointsVersion, vehicle.waypointsVersion.map({ $0 <= known }) ?? true {
      vehicle.waypoints = []
    }
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
    let name = try VehicleName(checked: "\(request.parent)/vehicles/\(request.vehicleId)")
    guard self[provider: name.providerID].vehicles[name.vehicleID] == nil else {
      throw .alreadyExists(EngineResource(type: "Vehicle", name: "\(name)"))
    }
    var vehicle = Vehicle()
    vehicle.replaceFields(from: given, VehicleUpdate.created)
    vehicle.name = "\(name)"
    vehicle.attributes = given.attributes.map(\.completed)
    vehicle.lastLocation?.serverTime = now
    self[provider: name.providerID].vehicles[name.vehicleID] = StoredVehicle(vehicle: vehicle)
    return vehicle
  }

  mutating func updateVehicle(
    _ request: UpdateVehicleRequest, at now: Timestamp
  ) throws(EngineError) -> Vehicle {
    let name = try VehicleName(checked: request.name)
    let mask = try request.updateMask.checked(
      for: Vehicle.self, serverOwned: VehicleUpdate.serverOwned)
    let update = VehicleUpdate(given: request.vehicle ?? Vehicle(), mask: mask)
    let changed = try update.apply(to: self[provider: name.providerID].vehicle(name), at: now)
    self[provider: name.providerID].change(tripsOf: [name.vehicleID], at: now) { state in
      state.vehicles[name.vehicleID] = changed
    }
    return changed.vehicle
  }

  mutating func updateVehicleAttributes(
    _ request: UpdateVehicleAttributesRequest, at now: Timestamp
  ) throws(EngineError) -> UpdateVehicleAttributesResponse {
    let name = try VehicleName(checked: request.name)
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
    self[provider: name.providerID].vehicles[name.vehicleID] = vehicle
    return UpdateVehicleAttributesResponse(attributes: vehicle.vehicle.attributes)
  }

  mutating func deleteVehicle(_ request: DeleteVehicleRequest, at now: Timestamp)
    throws(EngineError) -> Empty
  {
    let name = try VehicleName(checked: request.name)
    let vehicle = try self[provider: name.providerID].vehicle(name).vehicle
    guard vehicle.currentTrips.isEmpty else {
      throw .failedPrecondition(
        "VEHICLE_HAS_TRIPS", vehicle.name,
        "has the active trips \(vehicle.currentTrips.joined(separator: ", "))")
    }
    self[provider: name.providerID].vehicles[name.vehicleID] = nil
    return Empty()
  }
}

extension VehicleName {
  /// - Throws: INVALID_ARGUMENT for `name`.
  init(checked name: String) throws(EngineError) {
    do throws(ResourceNameError) {
      try self.init(name)
    } catch {
      throw .invalid("name", "\(error)")
    }
  }
}

extension ProviderState {
  func vehicle(_ name: VehicleName) throws(EngineError) -> StoredVehicle {
    guard let vehicle = vehicles[name.vehicleID] else {
      throw .notFound(EngineResource(type: "Vehicle", name: "\(name)"))
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
  }

  mutating func requireLocation(_ location: VehicleLocation?, _ field: String) {
    guard let location else { return }
    require(location.location != nil, "\(field).location")
    requirePlace(location.location, "\(field).location")
  }
}
