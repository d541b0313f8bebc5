import JourneySharing
import Tripwire
import WireProtobuf

extension GeoJSONWriter {
  /// Writes the facts. Values of enums are names of the protocol, or numbers without a name.
  mutating func members(of facts: MapFacts) {
    if let resource = facts.resource { members(of: resource, at: facts.confirmed) }
    if let updated = facts.updated { member("updated", updated) }
    if facts.isStale { member("isStale") { $0.bool(true) } }
    if let delay = facts.delay { member("delay", delay) }
    if let failure = facts.failure {
      member("error") { json in
        json.object { json in
          json.member("code", failure.code)
          json.member("message", failure.message)
          if let since = failure.since { json.member("since", since) }
        }
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
    member("locationTime", location?.updateTime ?? location?.serverTime)
    if resource.isFinal { member("isOver") { $0.bool(true) } }
  }

  private mutating func members(of trip: Trip) {
    member("status", trip.tripStatus.name ?? String(trip.tripStatus.rawValue))
    member("eta", trip.etaToNextWaypoint)
    member("distance", trip.remainingDistanceOfActiveRoute)
    if let stop = trip.nextTripWaypoint?.waypointType.name { member("nextStop", stop) }
    if !trip.vehicleId.isEmpty { member("vehicle", trip.vehicleId) }
  }

  private mutating func members(of vehicle: Vehicle) {
    member("status", vehicle.vehicleState.name, vehicle.vehicleState.rawValue)
    if let category = vehicle.vehicleType?.category {
      member("type", category.name, category.rawValue)
    }
    if vehicle.maximumCapacity > 0 { member("capacity", Double(vehicle.maximumCapacity)) }
    member("navigation", vehicle.navigationStatus.name, vehicle.navigationStatus.rawValue)
    strings("trips", vehicle.currentTrips)
    // The ETA is invalid without stops.
    member("eta", vehicle.waypoints.isEmpty ? nil : vehicle.etaToFirstWaypoint)
    member("distance", vehicle.remainingDistanceMeters)
    stops(vehicle.waypoints.count) { json, index in
      let stop = vehicle.waypoints[index]
      json.member("type", stop.waypointType.name, stop.waypointType.rawValue)
      if !stop.tripId.isEmpty { json.member("trip", stop.tripId) }
      // Only the values of the vehicle change while it drives to its first stop.
      let isFirst = index == 0
      json.member("eta", (isFirst ? vehicle.etaToFirstWaypoint : nil) ?? stop.eta)
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
    member("eta", arrivals.first ?? nil)
    member("distance", vehicle.remainingDistanceMeters)
    stops(segments.count) { json, index in
      let segment = segments[index]
      if let state = segment.stop?.state { json.member("state", state.name, state.rawValue) }
      json.strings("tasks", segment.stop?.tasks.map(\.taskId) ?? [])
      json.member("eta", arrivals[index])
      let remaining = index == 0 ? vehicle.remainingDistanceMeters : nil
      json.member("distance", remaining ?? segment.drivingDistanceMeters)
    }
  }

  private mutating func members(of task: DeliveryTask, at time: Int64?) {
    member("status", task.state.name, task.state.rawValue)
    member("outcome", task.taskOutcome.name, task.taskOutcome.rawValue)
    member("outcomeTime", task.taskOutcomeTime)
    member("type", task.type.name, task.type.rawValue)
    window(task.targetTimeWindow)
    if !task.isFinal, let segments = task.journeySharingInfo?.remainingVehicleJourneySegments {
      // The last stop is that of the task.
      member("eta", segments.arrivals(at: time).last ?? nil)
      member("stopCount", Double(segments.count))
    }
    if !task.deliveryVehicleId.isEmpty { member("vehicle", task.deliveryVehicleId) }
    if !task.trackingId.isEmpty { member("shipment", task.trackingId) }
  }

  private mutating func members(of info: TaskTrackingInfo) {
    member("status", info.state.name, info.state.rawValue)
    member("outcome", info.taskOutcome.name, info.taskOutcome.rawValue)
    member("outcomeTime", info.taskOutcomeTime)
    window(info.targetTimeWindow)
    member("eta", info.estimatedArrivalTime)
    member("distance", info.remainingDrivingDistanceMeters)
    if let count = info.remainingStopCount { member("stopCount", Double(count)) }
  }

  private mutating func window(_ window: TimeWindow?) {
    member("windowStart", window?.startTime)
    member("windowEnd", window?.endTime)
  }

  // MARK: Values

  /// Writes the value of an enum that is set.
  private mutating func member(_ key: String, _ name: String?, _ number: Int32) {
    guard number != 0 else { return }
    member(key, name ?? String(number))
  }

  /// Writes a time that is known and valid.
  private mutating func member(_ name: String, _ time: Timestamp?) {
    guard let time, Timestamp.validSeconds.contains(time.seconds) else { return }
    member(name, time.inSeconds)
  }

  private mutating func member(_ name: String, _ time: Int64?) {
    member(name, time.map { Timestamp(seconds: $0) })
  }

  private mutating func member(_ name: String, _ value: Int32?) {
    if let value { member(name, Double(value)) }
  }

  private mutating func strings(_ name: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    member(name) { json in
      json.array { json in
        for value in values { json.element { $0.string(value) } }
      }
    }
  }

  private mutating func stops(_ count: Int, _ members: (inout GeoJSONWriter, Int) -> Void) {
    member("stopCount", Double(count))
    member("stops") { json in
      json.array { json in
        for index in 0..<count { json.element { $0.object { members(&$0, index) } } }
      }
    }
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
