import FleetEngineAPI
import Tripwire
import WireProtobuf

extension ProviderState {
  func answer(_ id: String, at now: Timestamp) -> TripAnswer? {
    trips[id].map { TripAnswer($0, id, vehicles[$0.vehicleID], at: now) }
  }

  func answer(_ name: ResourceName, at now: Timestamp) throws(EngineError) -> TripAnswer {
    guard let answer = answer(name.id, at: now) else {
      throw .notFound(name)
    }
    return answer
  }

  mutating func create(
    _ trip: Trip, _ name: ResourceName, stops: [TripWaypoint], at now: Timestamp
  ) throws(EngineError) -> Trip {
    guard trips[name.id] == nil else {
      throw .alreadyExists(name)
    }
    let plan = try plan(of: trip, stops, name)
    change(tripsOf: [trip.vehicleId], at: now) { state in
      state.trips[name.id] = StoredTrip(trip, at: now)
      state.carryOut(plan, of: trip, at: now)
    }
    return changed(name, at: now)
  }

  mutating func update(_ update: TripUpdate, at now: Timestamp) throws(EngineError) -> Trip {
    let name = update.name
    guard let stored = trips[name.id] else {
      throw .notFound(name)
    }
    let before = stored.trip
    let trip = try update.apply(to: before, at: now)
    if trip.vehicleId != before.vehicleId { try requireVehicle(of: trip, name) }
    let stops =
      update.mask.topLevelFields.contains("vehicle_waypoints") ? update.given.vehicleWaypoints : []
    let plan = try plan(of: trip, stops, name)
    change(tripsOf: [before.vehicleId, trip.vehicleId], and: name.id, at: now) { state in
      if before.vehicleId != trip.vehicleId {
        state.remove(name.id, from: before.vehicleId, at: now)
      }
      state.trips[name.id]?.replace(by: trip, at: now)
      state.carryOut(plan, of: trip, at: now)
    }
    return changed(name, at: now)
  }

  mutating func delete(_ name: ResourceName) throws(EngineError) {
    guard let trip = trips[name.id] else {
      throw .notFound(name)
    }
    guard !trip.isAssigned else {
      throw .failedPrecondition(
        "TRIP_ACTIVE", name, "is \(trip.status.name ?? "?") and assigned to \(trip.vehicleID)")
    }
    trips[name.id] = nil
  }

  /// The trip after a change, with the stops of its vehicle (reference, `Trip.vehicle_waypoints`).
  private func changed(_ name: ResourceName, at now: Timestamp) -> Trip {
    var trip = answer(name.id, at: now)?.whole() ?? Trip()
    if trips[name.id]?.isAssigned == true {
      trip.vehicleWaypoints = vehicles[trip.vehicleId]?.timetable ?? []
    }
    return trip
  }

  // MARK: Stops

  private func requireVehicle(of trip: Trip, _ name: ResourceName) throws(EngineError) {
    guard trip.vehicleId.isEmpty || vehicles[trip.vehicleId] != nil else {
      throw .notFound(try name.sibling(.vehicle, trip.vehicleId, "trip.vehicle_id"))
    }
  }

  /// Returns the stops of the vehicle of a trip after its change; nil if it has none.
  ///
  /// - Parameter wanted: their order; empty for the present one.
  private func plan(
    of trip: Trip, _ wanted: [TripWaypoint], _ name: ResourceName
  ) throws(EngineError) -> [TripWaypoint]? {
    // Without a vehicle, Fleet Engine ignores the order.
    if !trip.tripStatus.isFinal { try requireVehicle(of: trip, name) }
    guard let vehicle = vehicles[trip.vehicleId] else { return nil }
    let stops = vehicle.vehicle.waypoints.replacing(name.id, by: trip.remainingStops)
    guard !wanted.isEmpty else { return stops }
    let field = "trip.vehicle_waypoints"
    guard let ordered = stops.ordered(as: wanted) else {
      throw .invalid(field, "must contain exactly the remaining waypoints of the vehicle")
    }
    var violations = Violations()
    violations.requireTripsInOrder(of: stops, ordered, field)
    let exclusive = Set(ordered.map(\.tripId)).filter { id in
      id == name.id
        ? trip.tripType == .exclusive : trips[id]?.trip.tripType == .exclusive
    }
    violations.require(
      exclusive.allSatisfy { ordered.areTogether($0) }, field,
      "must not have other stops between those of an EXCLUSIVE trip")
    try violations.check()
    return ordered
  }

  private mutating func carryOut(
    _ stops: [TripWaypoint]?, of trip: Trip, at now: Timestamp
  ) {
    guard let stops else { return }
    vehicles[trip.vehicleId]?.setStops(stops, at: now)
    if trip.tripStatus.isFinal {
      vehicles[trip.vehicleId]?.vehicle.currentTrips.removeAll { $0 == trip.id }
    } else if vehicles[trip.vehicleId]?.vehicle.currentTrips.contains(trip.id) == false {
      vehicles[trip.vehicleId]?.vehicle.currentTrips.append(trip.id)
    }
  }

  private mutating func remove(_ trip: String, from vehicle: String, at now: Timestamp) {
    guard let stops = vehicles[vehicle]?.vehicle.waypoints.replacing(trip, by: []) else { return }
    vehicles[vehicle]?.setStops(stops, at: now)
    vehicles[vehicle]?.vehicle.currentTrips.removeAll { $0 == trip }
  }

  // MARK: Versions

  /// Makes a change, and notes which parts of the trips of some vehicles it affects.
  ///
  /// - Parameter trip: another trip that it may affect.
  mutating func change(
    tripsOf vehicleIDs: Set<String>, and trip: String? = nil, at now: Timestamp,
    _ body: (inout Self) -> Void
  ) {
    var before = progress(ofTripsOf: vehicleIDs)
    if let trip, before[trip] == nil { before[trip] = progress(of: trip) }
    body(&self)
    var after = progress(ofTripsOf: vehicleIDs)
    for id in before.keys where after[id] == nil { after[id] = progress(of: id) }
    for (id, new) in after {
      trips[id]?.versions.update(from: before[id] ?? TripProgress(id, nil), to: new, at: now)
    }
  }

  private func progress(ofTripsOf vehicleIDs: Set<String>) -> [String: TripProgress] {
    var found: [String: TripProgress] = [:]
    for vehicle in vehicleIDs {
      for trip in vehicles[vehicle]?.vehicle.currentTrips ?? [] {
        found[trip] = TripProgress(trip, vehicles[vehicle])
      }
    }
    return found
  }

  private func progress(of trip: String) -> TripProgress {
    TripProgress(trip, trips[trip].flatMap { $0.isAssigned ? vehicles[$0.vehicleID] : nil })
  }
}
