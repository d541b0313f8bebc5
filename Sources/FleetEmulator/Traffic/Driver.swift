import FleetEngineAPI
import WireProtobuf

/// The driver of a vehicle with one trip after the other: reports locations and statuses as the app of a driver does.
///
/// The place of the vehicle depends on the time only, not on how often it is asked for.
struct Driver: Sendable {
  private enum State: Sendable {
    /// Waits for the next trip.
    case idle(until: Timestamp)
    /// On the way to the first stop that is left.
    case driving(since: Timestamp)
    /// At the first stop that is left.
    case standing(until: Timestamp)
  }

  private static let reportInterval = Duration.seconds(2)
  private static let wait = Duration.seconds(20)
  private static let pause = Duration.seconds(60)

  let vehicle: String
  private let provider: String
  /// The factor by which all is faster than usual.
  private let speedup: Double
  private var dice: Dice
  private var place: LatLng
  private var state: State
  private var lastReport: Timestamp
  private var tripCount = 0
  private var trip = ""
  /// The stops of the trip that are left, with the statuses on the way there and on arrival.
  private var stops: [Stop] = []

  private struct Stop: Sendable {
    /// The road from the stop before.
    let road: Road
    let type: WaypointType
    let enroute: TripStatus
    let arrived: TripStatus
    var destination: Int32?
  }

  /// - Parameters:
  ///   - begin: when the first trip begins.
  ///   - speedup: the factor by which all is faster than usual.
  init(
    _ vehicle: String, of provider: String, at place: LatLng, begin: Timestamp, speedup: Double
  ) {
    self.vehicle = vehicle
    self.provider = provider
    self.speedup = speedup
    self.place = place
    dice = Dice(seed: vehicle)
    state = .idle(until: begin)
    lastReport = begin
  }

  /// Cancels the trips of an earlier run that the vehicle still has, and continues from its place with the next one.
  mutating func resume(at now: Timestamp, _ engine: inout FleetEngine) {
    let provider = engine[parent: provider]
    let stored = provider.vehicles[vehicle]?.vehicle
    place = stored?.lastLocation?.location ?? place
    for id in stored?.currentTrips ?? [] where id == firstTrip || id.hasPrefix("\(firstTrip)-") {
      trip = id
      set(.canceled, destination: nil, at: now, &engine)
    }
    while provider.trips[nextTrip] != nil { tripCount += 1 }
  }

  /// Reports all that has happened up to a time.
  mutating func advance(to now: Timestamp, _ engine: inout FleetEngine) {
    while let due, due <= now { change(at: due, &engine) }
    guard lastReport + Self.reportInterval <= now else { return }
    // Reports of the past that nobody has seen are left out.
    report(at: now, &engine)
  }

  /// When it changes or reports something next.
  var next: Timestamp { min(due ?? lastReport, lastReport + Self.reportInterval) }

  /// When the state changes.
  private var due: Timestamp? {
    switch state {
    case .idle(let end), .standing(let end): end
    case .driving(let start): stops.first.map { start + duration(of: $0.road) }
    }
  }

  private mutating func change(at now: Timestamp, _ engine: inout FleetEngine) {
    switch state {
    case .idle: begin(at: now, &engine)
    case .driving:
      place = stops[0].road.points.last ?? place
      set(stops[0].arrived, destination: stops[0].destination, at: now, &engine)
      state = .standing(until: now + scaled(Self.wait))
      if stops.count == 1 { end(at: now) }
      report(at: now, &engine)
    case .standing:
      stops.removeFirst()
      leave(at: now, &engine)
    }
  }

  // MARK: Trips

  private mutating func begin(at now: Timestamp, _ engine: inout FleetEngine) {
    trip = nextTrip
    tripCount += 1
    var last = place
    func stop(
      _ type: WaypointType, _ enroute: TripStatus, _ arrived: TripStatus, _ index: Int32? = nil
    ) {
      let road = Road(from: last, to: dice.place, turnsNorthFirst: dice.isHeads)
      last = road.points.last ?? last
      stops.append(
        Stop(road: road, type: type, enroute: enroute, arrived: arrived, destination: index))
    }
    stop(.pickup, .enrouteToPickup, .arrivedAtPickup)
    for index in 0..<(Int(number) ?? 0) % 3 {
      stop(
        .intermediateDestination, .enrouteToIntermediateDestination,
        .arrivedAtIntermediateDestination, Int32(index))
    }
    stop(.dropOff, .enrouteToDropoff, .complete)
    let locations = stops.map { TerminalLocation(point: $0.road.points.last) }
    let created = Trip(
      vehicleId: vehicle, tripType: .exclusive, pickupPoint: locations.first,
      intermediateDestinations: Array(locations.dropFirst().dropLast()),
      dropoffPoint: locations.last, numberOfPassengers: 2)
    // Somebody else may have created a trip with this ID; then it is left alone.
    _ = try? engine.createTrip(
      CreateTripRequest(parent: provider, tripId: trip, trip: created), at: now)
    leave(at: now, &engine)
  }

  private var number: Substring { vehicle.dropFirst() }
  private var firstTrip: String { "t\(number)" }
  private var nextTrip: String {
    tripCount == 0 ? firstTrip : "\(firstTrip)-\(tripCount + 1)"
  }

  private mutating func leave(at now: Timestamp, _ engine: inout FleetEngine) {
    guard let stop = stops.first else { return end(at: now) }
    set(stop.enroute, destination: stop.destination, at: now, &engine)
    state = .driving(since: now)
    let segment = (try? S2Polyline.encode(stop.road.points)) ?? ""
    update(at: now, &engine, "current_route_segment,eta_to_first_waypoint") {
      $0.currentRouteSegment = segment
      $0.etaToFirstWaypoint = now + duration(of: stop.road)
    }
    // Refused if the vehicle has other trips, too.
    update(at: now, &engine, "waypoints") { $0.waypoints = waypoints(at: now) }
    report(at: now, &engine)
  }

  /// The stops that are left, with estimates.
  private func waypoints(at now: Timestamp) -> [TripWaypoint] {
    var time = now
    return stops.enumerated().map { index, stop in
      let duration = duration(of: stop.road)
      time = time + duration
      defer { time = time + scaled(Self.wait) }
      return TripWaypoint(
        location: TerminalLocation(point: stop.road.points.last), tripId: trip,
        waypointType: stop.type, pathToWaypoint: index == 0 ? [] : stop.road.points,
        distanceMeters: Int32(meters: stop.road.length), eta: time,
        duration: WireDuration(duration))
    }
  }

  private mutating func end(at now: Timestamp) {
    stops = []
    state = .idle(until: now + scaled(Self.pause))
  }

  private func set(
    _ status: TripStatus, destination: Int32?, at now: Timestamp, _ engine: inout FleetEngine
  ) {
    let mask = ["trip_status"] + (destination == nil ? [] : ["intermediate_destination_index"])
    _ = try? engine.updateTrip(
      UpdateTripRequest(
        name: "\(provider)/trips/\(trip)",
        trip: Trip(tripStatus: status, intermediateDestinationIndex: destination ?? 0),
        updateMask: FieldMask(paths: mask)), at: now)
  }

  // MARK: Reports

  private mutating func report(at now: Timestamp, _ engine: inout FleetEngine) {
    lastReport = now
    guard case .driving(let start) = state, let road = stops.first?.road else {
      let place = place
      return update(at: now, &engine, "last_location,remaining_distance_meters") {
        $0.lastLocation = VehicleLocation(
          location: place, speed: 0, updateTime: now, isRoadSnapped: true)
        $0.remainingDistanceMeters = stops.isEmpty ? nil : 0
      }
    }
    let driven = min(road.length, (now - start) / .seconds(1) * usualSpeed * speedup)
    let (place, heading) = road.place(at: driven)
    let speed = usualSpeed * speedup
    update(at: now, &engine, "last_location,remaining_distance_meters") {
      $0.lastLocation = VehicleLocation(
        location: place, heading: heading, speed: speed, updateTime: now, isRoadSnapped: true)
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

  private func duration(of road: Road) -> Duration {
    .seconds(road.length / (usualSpeed * speedup))
  }

  private func scaled(_ duration: Duration) -> Duration { duration / speedup }
}
