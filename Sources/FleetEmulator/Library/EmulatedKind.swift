import FleetEngineAPI
import FleetEngineDeliveryAPI
import Tripwire
import WireProtobuf

/// A kind of resource that programs put into an emulator, with its methods.
protocol EmulatedKind: FleetMessage {
  /// The fields that are left as they are, because Fleet Engine maintains them.
  static var fixed: Set<String> { get }
  static func create(
    _ resource: Self, _ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp)
    throws(EngineError)
  static func update(
    _ resource: Self, _ name: ResourceName, _ mask: FieldMask, in engine: inout FleetEngine,
    at now: Timestamp) throws(EngineError)
  static func delete(_ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp)
    throws(EngineError)
}

extension EmulatedKind {
  /// Returns the name of a resource of this kind.
  ///
  /// - Throws: INVALID_ARGUMENT for an ID that breaks the rules.
  static func name(_ id: String, of providerID: String) throws(EngineError) -> ResourceName {
    try ResourceName(checked: "providers/\(providerID)/\(kind.rawValue)/\(id)", kind, "id")
  }

  /// Returns the resource as calls get it.
  static func stored(_ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp)
    throws(EngineError) -> Self
  {
    let request = request(forName: "\(name)", options: requestOptions(TripRequestOptions()))
    let response = try engine.call(getMethod.path, request.serializedBytes(), at: now)
    // The bytes are those of a resource of this kind.
    return (try? Self(serializedBytes: response)) ?? Self()
  }

  /// Creates the resource, or changes what differs from the stored one.
  func put(_ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp)
    throws(EngineError)
  {
    if (try? Self.stored(name, in: &engine, at: now)) == nil {
      try Self.create(self, name, in: &engine, at: now)
    }
    let stored = try Self.stored(name, in: &engine, at: now)
    let mask = FieldMask(changesFrom: stored, to: self).without(Self.fixed)
    guard !mask.paths.isEmpty else { return }
    try Self.update(
      self, name, FieldMask(paths: mask.topLevelFields.sorted()), in: &engine, at: now)
  }
}

extension Trip: EmulatedKind {
  static var fixed: Set<String> { TripUpdate.serverOwned.union(TripUpdate.immutable) }

  /// A vehicle that does not exist is created at the pickup.
  static func create(
    _ trip: Trip, _ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp
  ) throws(EngineError) {
    try engine.addVehicle(of: trip, name, at: now)
    _ = try engine.createTrip(
      CreateTripRequest(parent: name.parent, tripId: name.id, trip: trip), at: now)
  }

  static func update(
    _ trip: Trip, _ name: ResourceName, _ mask: FieldMask, in engine: inout FleetEngine,
    at now: Timestamp
  ) throws(EngineError) {
    try engine.addVehicle(of: trip, name, at: now)
    _ = try engine.updateTrip(
      UpdateTripRequest(name: "\(name)", trip: trip, updateMask: mask), at: now)
  }

  /// A trip that is not over is canceled first.
  static func delete(_ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp)
    throws(EngineError)
  {
    let trip = try stored(name, in: &engine, at: now)
    if !trip.tripStatus.isFinal {
      try update(Trip(tripStatus: .canceled), name, ["trip_status"], in: &engine, at: now)
    }
    _ = try engine.deleteTrip(DeleteTripRequest(name: "\(name)"), at: now)
  }
}

extension FleetEngine {
  fileprivate mutating func addVehicle(of trip: Trip, _ name: ResourceName, at now: Timestamp)
    throws(EngineError)
  {
    guard !trip.vehicleId.isEmpty else { return }
    let vehicle = try name.sibling(.vehicle, trip.vehicleId, "trip.vehicle_id")
    guard self[provider: name.providerID].vehicles[vehicle.id] == nil else { return }
    try Vehicle.create(
      Vehicle(at: trip.pickupPoint?.point ?? LatLng()), vehicle, in: &self, at: now)
  }
}

extension Vehicle: EmulatedKind {
  static var fixed: Set<String> { VehicleUpdate.serverOwned }

  static func create(
    _ vehicle: Vehicle, _ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp
  ) throws(EngineError) {
    _ = try engine.createVehicle(
      CreateVehicleRequest(parent: name.parent, vehicleId: name.id, vehicle: vehicle), at: now)
  }

  static func update(
    _ vehicle: Vehicle, _ name: ResourceName, _ mask: FieldMask, in engine: inout FleetEngine,
    at now: Timestamp
  ) throws(EngineError) {
    // The stops are those of its trips.
    let mask = mask.without(vehicle.waypoints.isEmpty ? ["waypoints"] : [])
    guard !mask.paths.isEmpty else { return }
    _ = try engine.updateVehicle(
      UpdateVehicleRequest(name: "\(name)", vehicle: vehicle, updateMask: mask), at: now)
  }

  static func delete(_ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp)
    throws(EngineError)
  {
    _ = try engine.deleteVehicle(DeleteVehicleRequest(name: "\(name)"), at: now)
  }
}

extension DeliveryVehicle: EmulatedKind {
  static var fixed: Set<String> { DeliveryVehicleUpdate.serverOwned }

  static func create(
    _ vehicle: DeliveryVehicle, _ name: ResourceName, in engine: inout FleetEngine,
    at now: Timestamp
  ) throws(EngineError) {
    let created = DeliveryVehicle(attributes: vehicle.attributes, type: vehicle.type)
    _ = try engine.createDeliveryVehicle(
      CreateDeliveryVehicleRequest(
        parent: name.parent, deliveryVehicleId: name.id, deliveryVehicle: created), at: now)
  }

  static func update(
    _ vehicle: DeliveryVehicle, _ name: ResourceName, _ mask: FieldMask,
    in engine: inout FleetEngine, at now: Timestamp
  ) throws(EngineError) {
    var vehicle = vehicle
    vehicle.name = "\(name)"
    _ = try engine.updateDeliveryVehicle(
      UpdateDeliveryVehicleRequest(deliveryVehicle: vehicle, updateMask: mask), at: now)
  }

  static func delete(_ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp)
    throws(EngineError)
  {
    _ = try engine.deleteDeliveryVehicle(DeleteDeliveryVehicleRequest(name: "\(name)"), at: now)
  }
}

extension DeliveryTask: EmulatedKind {
  static var fixed: Set<String> { TaskUpdate.serverOwned }

  static func create(
    _ task: DeliveryTask, _ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp
  ) throws(EngineError) {
    _ = try engine.createTask(
      CreateTaskRequest(parent: name.parent, taskId: name.id, task: task), at: now)
  }

  static func update(
    _ task: DeliveryTask, _ name: ResourceName, _ mask: FieldMask, in engine: inout FleetEngine,
    at now: Timestamp
  ) throws(EngineError) {
    var task = task
    task.name = "\(name)"
    _ = try engine.updateTask(UpdateTaskRequest(task: task, updateMask: mask), at: now)
  }

  static func delete(_ name: ResourceName, in engine: inout FleetEngine, at now: Timestamp)
    throws(EngineError)
  {
    _ = try engine.deleteTask(DeleteTaskRequest(name: "\(name)"), at: now)
  }
}

extension ResourceName {
  /// The name of the provider.
  fileprivate var parent: String { "providers/\(providerID)" }
}
