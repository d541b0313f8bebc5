import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// The driver of a delivery vehicle: passes the stops of its journey, and performs their tasks.
///
/// The journey is that of the vehicle at each time, so that the provider may change it on the way.
struct DeliveryDriver: Sendable {
  private enum State: Sendable {
    /// Waits for the next journey.
    case idle(until: Timestamp)
    /// There is no other journey.
    case ended
    /// On the way to the first stop, along a road and the same as an S2 polyline.
    case driving(since: Timestamp, Road, segment: [UInt8])
    /// At the first stop, whose tasks are finished at these times.
    case standing([(end: Timestamp, task: String)])
  }

  private let vehicle: String
  private let provider: String
  /// In meters per second.
  private let speed: Double
  /// Nil if no journey follows.
  private var route: DemoRoute?
  private var place: LatLng
  private var state: State
  private var lastReport: Timestamp

  /// - Parameter provider: its name.
  init(
    _ vehicle: String, of provider: String, at place: LatLng, begin: Timestamp, speed: Double,
    then route: DemoRoute? = nil
  ) {
    self.vehicle = vehicle
    self.provider = provider
    self.speed = speed
    self.place = place
    self.route = route
    state = .idle(until: begin)
    lastReport = begin
  }

  /// Creates a driver of a vehicle who begins where it is, and drives its present journey.
  init(
    _ name: ResourceName, speed: Double, _ engine: FleetEngine, begin: Timestamp
  ) throws(EngineError) {
    let vehicle = try engine[provider: name.providerID].deliveryVehicle(name).vehicle
    let place =
      vehicle.lastLocation?.location ?? vehicle.remainingVehicleJourneySegments.first?.place
    self.init(
      name.id, of: "providers/\(name.providerID)", at: place ?? LatLng(), begin: begin, speed: speed
    )
  }

  /// Returns when it leaves the last stop, if it begins to drive at a time.
  func arrival(from begin: Timestamp, _ engine: FleetEngine) -> Timestamp {
    journey(engine).reduce(begin) { time, segment in
      time + .seconds((length(of: segment.path) ?? 0) / speed)
        + (segment.stop?.tasks ?? []).duration
    }
  }

  func isOf(_ other: Self) -> Bool { (vehicle, provider) == (other.vehicle, other.provider) }

  /// Reports all that has happened up to a time.
  mutating func advance(to now: Timestamp, _ engine: inout FleetEngine) {
    if case .driving(let start, let road, _) = state,
      journey(engine).first?.place != road.points.last
    {
      // The journey has changed since the last report.
      place = road.place(at: (lastReport - start) / .seconds(1) * speed).place
      leave(at: lastReport, &engine)
    }
    while let due, due <= now { change(at: due, &engine) }
    // Reports of the past that nobody has seen are left out.
    if let next, next <= now { report(at: now, &engine, []) { _ in } }
  }

  /// When it changes or reports something next; nil if it has ended.
  var next: Timestamp? {
    if case .ended = state { return nil }
    return min(due ?? lastReport, lastReport + Driver.reportInterval)
  }

  /// When the state changes.
  private var due: Timestamp? {
    switch state {
    case .idle(let end): end
    case .driving(let start, let road, _): start + road.duration(speed: speed)
    case .standing(let tasks): tasks.first?.end
    case .ended: nil
    }
  }

  private func journey(_ engine: FleetEngine) -> [VehicleJourneySegment] {
    engine[parent: provider].deliveryVehicles[vehicle]?.vehicle.remainingVehicleJourneySegments
      ?? []
  }

  private mutating func change(at now: Timestamp, _ engine: inout FleetEngine) {
    switch state {
    case .ended: break
    case .idle:
      if journey(engine).isEmpty {
        route?.plan(from: place, of: provider, at: now, &engine)
      }
      leave(at: now, &engine)
    case .driving(_, let road, _):
      report(at: now, &engine, []) { _ in }
      place = road.points.last ?? place
      arrive(at: now, &engine)
    case .standing(var tasks):
      let task = tasks.removeFirst().task
      finish(task, at: now, &engine)
      state = .standing(tasks)
      if tasks.isEmpty { depart(at: now, &engine) }
    }
  }

  private mutating func leave(at now: Timestamp, _ engine: inout FleetEngine) {
    var segments = journey(engine)
    guard let stop = segments.first?.place else {
      state = route.map { .idle(until: now + $0.pause) } ?? .ended
      return report(at: now, &engine, ["navigation_status"]) { $0.navigationStatus = .noGuidance }
    }
    let path = segments[0].path
    let road = Road(path.first == place && path.count > 1 ? path : [place, stop])
    let segment = (try? S2Polyline.encode(road.points)) ?? ""
    state = .driving(since: now, road, segment: Array(segment.utf8))
    segments[0].stop?.state = .enroute
    report(at: now, &engine, ["remaining_vehicle_journey_segments", "navigation_status"]) {
      $0.remainingVehicleJourneySegments = segments
      $0.navigationStatus = .enrouteToDestination
    }
  }

  private mutating func arrive(at now: Timestamp, _ engine: inout FleetEngine) {
    var segments = journey(engine)
    guard !segments.isEmpty else { return leave(at: now, &engine) }
    segments[0].stop?.state = .arrived
    var end = now
    let tasks = (segments[0].stop?.tasks ?? []).map { task in
      end = end + (task.taskDuration?.duration ?? .zero)
      return (end, task.taskId)
    }
    // Without tasks, it leaves at once.
    state = .standing(tasks.isEmpty ? [(now, "")] : tasks)
    report(at: now, &engine, ["remaining_vehicle_journey_segments", "navigation_status"]) {
      $0.remainingVehicleJourneySegments = segments
      $0.navigationStatus = .arrivedAtDestination
    }
  }

  /// Sets the outcome of a task, unless the provider has.
  private func finish(_ task: String, at now: Timestamp, _ engine: inout FleetEngine) {
    guard engine[parent: provider].tasks[task]?.task.taskOutcome == .unspecified else { return }
    let outcome: DeliveryTask.TaskOutcome = route?.fails(task) == true ? .failed : .succeeded
    _ = try? engine.updateTask(
      UpdateTaskRequest(
        task: DeliveryTask(name: "\(provider)/tasks/\(task)", taskOutcome: outcome),
        updateMask: ["task_outcome"]), at: now)
  }

  /// Leaves the stop, whose tasks are then closed.
  private mutating func depart(at now: Timestamp, _ engine: inout FleetEngine) {
    let segments = Array(journey(engine).dropFirst())
    report(at: now, &engine, ["remaining_vehicle_journey_segments"]) {
      $0.remainingVehicleJourneySegments = segments
    }
    leave(at: now, &engine)
  }

  /// Reports the location, what remains of the way to the stop, and other changes.
  private mutating func report(
    at now: Timestamp, _ engine: inout FleetEngine, _ mask: [String],
    _ change: (inout DeliveryVehicle) -> Void
  ) {
    lastReport = now
    var vehicle = DeliveryVehicle(name: "\(provider)/deliveryVehicles/\(vehicle)")
    var mask = mask + ["last_location"]
    var location = DeliveryVehicleLocation(
      location: place, latlngAccuracy: Driver.accuracy, speed: 0, updateTime: now,
      isRoadSnapped: true)
    if case .driving(let start, let road, let segment) = state {
      let driven = min(road.length, (now - start) / .seconds(1) * speed)
      (location.location, location.heading) = road.place(at: driven)
      location.speed = speed
      // The server takes the remaining distance and duration only together with the route.
      mask += [
        "current_route_segment", "current_route_segment_end_point", "remaining_distance_meters",
        "remaining_duration",
      ]
      vehicle.currentRouteSegment = segment
      vehicle.currentRouteSegmentEndPoint = road.points.last
      vehicle.remainingDistanceMeters = Int32(meters: road.length - driven)
      vehicle.remainingDuration = WireDuration(
        max(.zero, start + road.duration(speed: speed) - now))
    }
    vehicle.lastLocation = location
    change(&vehicle)
    // Somebody else may have deleted the vehicle.
    _ = try? engine.updateDeliveryVehicle(
      UpdateDeliveryVehicleRequest(
        deliveryVehicle: vehicle, updateMask: FieldMask(paths: mask)), at: now)
  }
}

extension VehicleJourneySegment {
  fileprivate var place: LatLng? { stop?.place }
}
