import FleetEngineAPI
import WireProtobuf

/// A vehicle, and how it drives to the stops of its present trips and to the end of a route; or a delivery vehicle, which
/// drives to the stops of its journey.
struct DriveOrder: Sendable {
  static let slowest = 0.1

  let vehicle: ResourceName
  /// If empty, the vehicle drives straight from stop to stop.
  var route: [LatLng] = []
  var options = Driver.Options()
}

extension DriveOrder {
  /// - Throws: INVALID_ARGUMENT with the invalid fields.
  init(_ request: DriveVehicleRequest) throws(EngineError) {
    let isDelivery = request.name.split(separator: "/").dropLast().last == "deliveryVehicles"
    vehicle = try ResourceName(checked: request.name, isDelivery ? .deliveryVehicle : .vehicle)
    var violations = Violations()
    violations.require(
      !isDelivery || request.points.isEmpty && request.encodedPolyline.isEmpty, "points",
      "is not for delivery vehicles, whose journeys have routes")
    violations.require(
      !isDelivery || request.wait == nil, "wait",
      "is not for delivery vehicles, whose tasks have durations")
    route = request.points
    if !request.encodedPolyline.isEmpty {
      violations.require(
        request.points.isEmpty, "encoded_polyline", "cannot be combined with points")
      do throws(PolylineError) {
        route = try Polyline.decode(request.encodedPolyline)
      } catch {
        violations.add("encoded_polyline", "is not a polyline: \(error)")
      }
    }
    for (index, point) in route.enumerated() { violations.requirePlace(point, "points[\(index)]") }
    if request.speed != 0 {
      violations.require(
        request.speed >= Self.slowest && request.speed.isFinite, "speed",
        "must be at least \(Self.slowest)")
      options.speed = request.speed
    }
    if let wait = request.wait?.duration {
      violations.require(
        .zero...EmulatorTime.longestStep ~= wait, "wait", "must be from 0 to 24 hours")
      options.wait = wait
    }
    try violations.check()
  }
}

extension EmulatedFleet.State {
  /// Begins a drive, which replaces an earlier one of the vehicle. A vehicle that does not exist is created where the
  /// route begins.
  ///
  /// - Returns: when the vehicle arrives at the end.
  /// - Throws: NOT_FOUND if there is neither a vehicle nor a route.
  mutating func drive(_ order: DriveOrder, at now: Timestamp) throws(EngineError) -> Timestamp {
    let name = order.vehicle
    guard name.kind == .vehicle else {
      let driver = try DeliveryDriver(name, speed: order.options.speed, engine, begin: now)
      traffic.add(driver, at: now, &engine)
      return driver.arrival(from: now, engine)
    }
    if let start = order.route.first, engine[provider: name.providerID].vehicles[name.id] == nil {
      try Vehicle.create(Vehicle(at: start), name, in: &engine, at: now)
    }
    let provider = engine[provider: name.providerID]
    let vehicle = try provider.vehicle(name).vehicle
    let place = order.route.first ?? vehicle.lastLocation?.location ?? LatLng()
    let driver = Driver(
      name.id, of: "providers/\(name.providerID)", at: place, begin: now, order.options,
      stops: provider.stops(of: vehicle, from: place, along: order.route))
    traffic.add(driver, at: now, &engine)
    return driver.arrival(from: now)
  }
}

extension ProviderState {
  /// Returns the stops of a vehicle with the parts of a route between them, and the end of the route.
  fileprivate func stops(
    of vehicle: Vehicle, from place: LatLng, along route: [LatLng]
  ) -> [Driver.Stop] {
    var rest = route.isEmpty ? [place] : route
    var stops: [Driver.Stop] = []
    for (index, waypoint) in vehicle.waypoints.enumerated() {
      guard let point = waypoint.location?.point else { continue }
      let (path, after) = rest.count < 2 ? (rest + [point], [point]) : rest.split(at: point)
      rest = after
      let later = vehicle.waypoints[index...].filter {
        $0.tripId == waypoint.tripId && $0.waypointType == .intermediateDestination
      }.count
      let count = trips[waypoint.tripId]?.trip.intermediateDestinations.count ?? 0
      stops.append(
        Driver.Stop(
          road: Road(path), trip: waypoint.tripId, type: waypoint.waypointType,
          destination: waypoint.waypointType == .intermediateDestination
            ? Int32(count - later) : nil))
    }
    if rest.count > 1 { stops.append(Driver.Stop(road: Road(rest), trip: "", type: .dropOff)) }
    return stops
  }
}
