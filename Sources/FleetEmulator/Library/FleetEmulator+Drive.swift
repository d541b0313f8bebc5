public import FleetEngineAPI
import WireProtobuf

extension FleetEmulator {
  /// Drives a vehicle to the stops of its present trips, one after the other, and to the end of a route.
  ///
  ///     fleet.trips["t1"] = Trip(pickup: home, dropoff: station, vehicle: "v1")
  ///     fleet.drive("v1", along: route, speed: 12)
  ///
  /// It reports locations, arrivals and departures as the app of a driver does: the trips get their statuses, up to
  /// COMPLETE. It begins now, and replaces an earlier drive of the vehicle. A vehicle that does not exist is created
  /// where the route begins. Points that are not on the globe are left out.
  ///
  /// - Parameters:
  ///   - vehicle: its ID.
  ///   - route: passes the stops in their order; they are assigned to the places nearest to them. If empty, the vehicle
  ///     drives straight from stop to stop.
  ///   - speed: in meters per second, at least 0.1.
  ///   - wait: how long the vehicle stands at each stop.
  public func drive(
    _ vehicle: String, along route: [LatLng] = [], speed: Double = 8, wait: Duration = .seconds(20)
  ) {
    guard let name = Vehicle.name(vehicle, of: providerID) else { return }
    let route = route.filter(\.isOnGlobe)
    // NaN is not greater.
    let speed = speed > 0.1 ? speed : 0.1
    if let start = route.first, vehicles[vehicle] == nil { vehicles[vehicle] = Vehicle(at: start) }
    fleet.change { [providerID] state, now in
      let provider = state.engine[provider: providerID]
      guard let stored = provider.vehicles[name.id] else { return }
      let place = route.first ?? stored.vehicle.lastLocation?.location ?? LatLng()
      let driver = Driver(
        name.id, of: "providers/\(providerID)", at: place, begin: now,
        Driver.Options(speed: speed, wait: wait),
        stops: provider.stops(of: stored.vehicle, from: place, along: route))
      state.traffic.add(driver, at: now, &state.engine)
    }
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
