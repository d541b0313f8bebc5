import FleetEngineAPI
import WireProtobuf

/// The driver of a vehicle: passes stops, and reports locations and statuses as a driver's app does.
///
/// The place of the vehicle depends on the time only, not on how often it is asked for.
struct Driver: Sendable {
  private enum State: Sendable {
    /// Waits for the next trip.
    case idle(until: Timestamp)
    /// There is no other trip.
    case ended
    /// On the way to the first stop that is left.
    case driving(since: Timestamp)
    /// At the first stop that is left.
    case standing(until: Timestamp)
  }

  /// A place where the vehicle stands.
  struct Stop: Sendable {
    /// The road from the stop before.
    let road: Road
    /// The ID of the trip; empty for a place that no trip needs.
    let trip: String
    let type: WaypointType
    var destination: Int32?
  }

  struct Options: Sendable {
    /// In meters per second.
    var speed = usualSpeed
    /// How long the vehicle stands at a stop.
    var wait = Duration.seconds(20)
  }

  static let reportInterval = Duration.seconds(2)
  /// That of a good GPS receiver, in meters.
  static let accuracy = 4.5

  private let vehicle: String
  private let provider: String
  private let options: Options
  /// Nil if no trip follows the stops that are left.
  private var trips: DemoTrips?
  private var place: LatLng
  private var state: State
  private var lastReport: Timestamp
  private var stops: [Stop]

  /// Creates a driver who passes some stops, and then the trips of a demo.
  ///
  /// - Parameter provider: its name.
  init(
    _ vehicle: String, of provider: String, at place: LatLng, begin: Timestamp, _ options: Options,
    stops: [Stop] = [], then trips: DemoTrips? = nil
  ) {
    self.vehicle = vehicle
    self.provider = provider
    self.options = options
    self.place = place
    self.stops = stops
    self.trips = trips
    state = .idle(until: begin)
    lastReport = begin
  }

  /// Returns when it is at the last stop, if it begins to drive at a time.
  func arrival(from begin: Timestamp) -> Timestamp {
    let waits = options.wait * max(0, stops.count - 1)
    return stops.reduce(begin + waits) { $0 + $1.road.duration(speed: options.speed) }
  }

  func isOf(_ other: Driver) -> Bool { (vehicle, provider) == (other.vehicle, other.provider) }

  /// Reports all that has happened up to a time.
  mutating func advance(to now: Timestamp, _ engine: inout FleetEngine) {
    while let due, due <= now { change(at: due, &engine) }
    guard let next, next <= now else { return }
    // Reports of the past that nobody has seen are left out.
    report(at: now, &engine)
  }

  /// When it changes or reports something next; nil if it has ended.
  var next: Timestamp? {
    if case .ended = state { return nil }
    return min(due ?? lastReport, lastReport + Self.reportInterval)
  }

  /// When the state changes.
  private var due: Timestamp? {
    switch state {
    case .idle(let end), .standing(let end): end
    case .driving(let start): stops.first.map { start + $0.road.duration(speed: options.speed) }
    case .ended: nil
    }
  }

  private mutating func change(at now: Timestamp, _ engine: inout FleetEngine) {
    switch state {
    case .ended: break
    case .idle:
      if stops.isEmpty, let next = trips?.next(from: place, vehicle, of: provider, at: now, &engine)
      {
        stops = next
      }
      leave(at: now, &engine)
    case .driving:
      place = stops[0].road.points.last ?? place
      set(stops[0].type.arrived, of: stops[0], at: now, &engine)
      state = .standing(until: now + options.wait)
      if stops.count == 1 { end(at: now) }
      report(at: now, &engine)
    case .standing:
      let left = stops.removeFirst()
      // In a shared ride, stops of other trips may come first.
      if let next = stops.first(where: { $0.trip == left.trip }), stops[0].trip != left.trip {
        set(next.type.enroute, of: next, at: now, &engine)
      }
      leave(at: now, &engine)
    }
  }

  private mutating func leave(at now: Timestamp, _ engine: inout FleetEngine) {
    guard let stop = stops.first else { return end(at: now) }
    set(stop.type.enroute, of: stop, at: now, &engine)
    state = .driving(since: now)
    let segment = (try? S2Polyline.encode(stop.road.points)) ?? ""
    update(at: now, &engine, "current_route_segment,eta_to_first_waypoint,navigation_status") {
      $0.currentRouteSegment = segment
      $0.navigationStatus = .enrouteToDestination
      $0.etaToFirstWaypoint = now + stop.road.duration(speed: options.speed)
    }
    // Refused if the vehicle has other trips, too.
    update(at: now, &engine, "waypoints") { $0.waypoints = waypoints(at: now) }
    report(at: now, &engine)
  }

  /// The stops that are left, with estimates.
  private func waypoints(at now: Timestamp) -> [TripWaypoint] {
    var time = now
    return stops.enumerated().filter { !$1.trip.isEmpty }.map { index, stop in
      let duration = stop.road.duration(speed: options.speed)
      time = time + duration
      defer { time = time + options.wait }
      return TripWaypoint(
        location: TerminalLocation(point: stop.road.points.last), tripId: stop.trip,
        waypointType: stop.type, pathToWaypoint: index == 0 ? [] : stop.road.points,
        distanceMeters: Int32(meters: stop.road.length), eta: time,
        duration: WireDuration(duration))
    }
  }

  private mutating func end(at now: Timestamp) {
    stops = []
    state = trips.map { .idle(until: now + $0.pause) } ?? .ended
  }

  private func set(
    _ status: TripStatus, of stop: Stop, at now: Timestamp, _ engine: inout FleetEngine
  ) {
    guard !stop.trip.isEmpty else { return }
    let mask =
      ["trip_status"] + (stop.destination == nil ? [] : ["intermediate_destination_index"])
    // Somebody else may have changed the trip.
    _ = try? engine.updateTrip(
      UpdateTripRequest(
        name: "\(provider)/trips/\(stop.trip)",
        trip: Trip(tripStatus: status, intermediateDestinationIndex: stop.destination ?? 0),
        updateMask: FieldMask(paths: mask)), at: now)
  }

  // MARK: Reports

  private mutating func report(at now: Timestamp, _ engine: inout FleetEngine) {
    lastReport = now
    guard case .driving(let start) = state, let road = stops.first?.road else {
      let place = place
      return update(
        at: now, &engine, "last_location,remaining_distance_meters,navigation_status"
      ) {
        $0.navigationStatus = stops.isEmpty ? .noGuidance : .arrivedAtDestination
        $0.lastLocation = VehicleLocation(
          location: place, latlngAccuracy: Self.accuracy, speed: 0, updateTime: now,
          isRoadSnapped: true)
        $0.remainingDistanceMeters = stops.isEmpty ? nil : 0
      }
    }
    let driven = min(road.length, (now - start) / .seconds(1) * options.speed)
    let (place, heading) = road.place(at: driven)
    update(at: now, &engine, "last_location,remaining_distance_meters") {
      $0.lastLocation = VehicleLocation(
        location: place, latlngAccuracy: Self.accuracy, heading: heading, speed: options.speed,
        updateTime: now, isRoadSnapped: true)
      $0.remainingDistanceMeters = Int32(meters: road.length - driven)
    }
  }

  private func update(
    at now: Timestamp, _ engine: inout FleetEngine, _ mask: String,
    _ change: (inout Vehicle) -> Void
  ) {
    var changed = Vehicle()
    change(&changed)
    // Somebody else may have deleted the vehicle.
    _ = try? engine.updateVehicle(
      UpdateVehicleRequest(
        name: "\(provider)/vehicles/\(vehicle)", vehicle: changed, updateMask: FieldMask(mask)),
      at: now)
  }
}

extension WaypointType {
  /// The status of a trip on the way to a stop of this type.
  fileprivate var enroute: TripStatus {
    switch self {
    case .pickup: .enrouteToPickup
    case .intermediateDestination: .enrouteToIntermediateDestination
    default: .enrouteToDropoff
    }
  }

  /// The status of a trip at a stop of this type.
  fileprivate var arrived: TripStatus {
    switch self {
    case .pickup: .arrivedAtPickup
    case .intermediateDestination: .arrivedAtIntermediateDestination
    default: .complete
    }
  }
}
