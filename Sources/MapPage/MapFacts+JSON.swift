import Tripwire
import WireProtobuf

extension JSONWriter {
  /// Writes the facts. Values of enums are names of the protocol, or numbers without a name.
  mutating func members(of facts: MapFacts) {
    if let resource = facts.resource { members(of: resource, at: facts.confirmed) }
    member("updated", decimal: facts.updated)
    if facts.isStale { member("isStale", true) }
    member("delay", decimal: facts.delay)
    if let failure = facts.failure {
      object("error") { json in
        json.member("code", failure.code)
        json.member("message", failure.message)
        json.member("since", decimal: failure.since)
      }
    }
  }

  private mutating func members(of resource: FleetResource, at time: Int64?) {
    member("kind", resource.kind.jsonKey)
    switch resource {
    case .trip(let trip): members(of: trip)
    case .vehicle(let vehicle): members(of: vehicle)
    case .deliveryVehicle(let vehicle): members(of: vehicle, at: time)
    case .task(let task): members(of: task, at: time)
    case .taskTrackingInfo(let info): members(of: info)
    }
    let location = resource.lastLocation
    member("locationTime", time: location?.updateTime ?? location?.serverTime)
    if resource.isFinal { member("isOver", true) }
  }

  private mutating func members(of trip: Trip) {
    member("status", trip.tripStatus.name ?? String(trip.tripStatus.rawValue))
    member("eta", time: trip.etaToNextWaypoint)
    member("distance", trip.remainingDistanceOfActiveRoute)
    member("nextStop", trip.nextTripWaypoint?.waypointType.name)
    if !trip.vehicleId.isEmpty { member("vehicle", trip.vehicleId) }
  }

  private mutating func members(of vehicle: Vehicle) {
    member("status", vehicle.vehicleState.name, vehicle.vehicleState.rawValue)
    if let category = vehicle.vehicleType?.category {
      member("type", category.name, category.rawValue)
    }
    if vehicle.maximumCapacity > 0 { member("capacity", vehicle.maximumCapacity) }
    member("navigation", vehicle.navigationStatus.name, vehicle.navigationStatus.rawValue)
    strings("trips", vehicle.currentTrips)
    // The ETA is invalid without stops.
    member("eta", time: vehicle.waypoints.isEmpty ? nil : vehicle.etaToFirstWaypoint)
    member("distance", vehicle.remainingDistanceMeters)
    stops(vehicle.waypoints.count) { json, index in
      let stop = vehicle.waypoints[index]
      json.member("type", stop.waypointType.name, stop.waypointType.rawValue)
      if !stop.tripId.isEmpty { json.member("trip", stop.tripId) }
      // Only the values of the vehicle change while it drives to its first stop.
      let isFirst = index == 0
      json.member("eta", time: (isFirst ? vehicle.etaToFirstWaypoint : nil) ?? stop.eta)
      json.member(
        "distance", (isFirst ? vehicle.remainingDistanceMeters : nil) ?? stop.distanceMeters)
    }
  }

  // MARK: Deliveries

  private mutating func members(of vehicle: DeliveryVehicle, at time: Int64?) {
    let segments = vehicle.remainingVehicleJourneySegments
    let arrivals = segments.arrivals(at: time, remaining: vehicle.remainingDuration)
    member("status", vehicle.navigationStatus.name, vehicle.navigationStatus.rawValue)
    member("type", vehicle.type.name, vehicle.type.rawValue)
    member("eta", time: arrivals.first ?? nil)
    member("distance", vehicle.remainingDistanceMeters)
    stops(segments.count) { json, index in
      let segment = segments[index]
      if let state = segment.stop?.state { json.member("state", state.name, state.rawValue) }
      json.strings("tasks", segment.stop?.tasks.map(\.taskId) ?? [])
      json.member("eta", time: arrivals[index])
      let remaining = index == 0 ? vehicle.remainingDistanceMeters : nil
      json.member("distance", remaining ?? segment.drivingDistanceMeters)
    }
  }

  private mutating func members(of task: DeliveryTask, at time: Int64?) {
    member("status", task.state.name, task.state.rawValue)
    member("outcome", task.taskOutcome.name, task.taskOutcome.rawValue)
    member("outcomeTime", time: task.taskOutcomeTime)
    member("type", task.type.name, task.type.rawValue)
    window(task.targetTimeWindow)
    if !task.isFinal, let segments = task.journeySharingInfo?.remainingVehicleJourneySegments {
      // The last stop is that of the task.
      member("eta", time: segments.arrivals(at: time).last ?? nil)
      member("stopCount", segments.count)
    }
    if !task.deliveryVehicleId.isEmpty { member("vehicle", task.deliveryVehicleId) }
    if !task.trackingId.isEmpty { member("shipment", task.trackingId) }
  }

  private mutating func members(of info: TaskTrackingInfo) {
    member("status", info.state.name, info.state.rawValue)
    member("outcome", info.taskOutcome.name, info.taskOutcome.rawValue)
    member("outcomeTime", time: info.taskOutcomeTime)
    window(info.targetTimeWindow)
    member("eta", time: info.estimatedArrivalTime)
    member("distance", info.remainingDrivingDistanceMeters)
    member("stopCount", info.remainingStopCount)
  }

  private mutating func window(_ window: TimeWindow?) {
    member("windowStart", time: window?.startTime)
    member("windowEnd", time: window?.endTime)
  }

  // MARK: Values

  /// Writes the value of an enum that is set.
  private mutating func member(_ key: String, _ name: String?, _ number: Int32) {
    guard number != 0 else { return }
    member(key, name ?? String(number))
  }

  /// Writes a time that is known and valid.
  private mutating func member(_ name: String, time: Timestamp?) {
    guard let time, Timestamp.validSeconds.contains(time.seconds) else { return }
    member(name, decimal: time.inSeconds)
  }

  private mutating func member(_ name: String, time: Int64?) {
    member(name, time: time.map { Timestamp(seconds: $0) })
  }

  private mutating func strings(_ name: String, _ values: [String]) {
    if !values.isEmpty { member(name, values) }
  }

  private mutating func stops(_ count: Int, _ members: (inout JSONWriter, Int) -> Void) {
    member("stopCount", count)
    objects("stops", 0..<count, members)
  }
}

extension MapFacts {
  /// When the server last confirmed the resource, by the clock of the resource.
  fileprivate var confirmed: Int64? {
    updated.flatMap { Int64(exactly: ($0 - (delay ?? 0)).rounded()) }
  }
}

extension [VehicleJourneySegment] {
  /// Returns the estimated time of arrival at each stop, in seconds since 1970.
  fileprivate func arrivals(at time: Int64?, remaining: WireDuration? = nil) -> [Int64?] {
    time.map { arrivals(from: $0, remaining: remaining) } ?? map { _ in nil }
  }
}
