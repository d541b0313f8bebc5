public import FleetEngineAPI

extension FleetEmulator {
  /// Drives a vehicle to the stops of its present trips, one after the other, and to the end of a route.
  ///
  ///     fleet.trips["t1"] = Trip(pickup: home, dropoff: station, vehicle: "v1")
  ///     fleet.drive("v1", along: route, speed: 12)
  ///
  /// It reports locations, arrivals and departures as a driver's app does: the trips get their statuses, up to
  /// COMPLETE. It begins now, and replaces an earlier drive of the vehicle. A vehicle that does not exist is created
  /// where the route begins. Points that are not on the globe are left out. It does nothing for an invalid ID, or
  /// without both a vehicle and a route.
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
    guard let name = try? Vehicle.name(vehicle, of: providerID) else { return }
    // NaN is not greater.
    let speed = speed > DriveOrder.slowest ? speed : DriveOrder.slowest
    let order = DriveOrder(
      vehicle: name, route: route.filter(\.isOnGlobe),
      options: Driver.Options(speed: speed, wait: wait))
    // Without a vehicle and a route, there is no drive.
    _ = try? fleet.execute { state, now throws(EngineError) in try state.drive(order, at: now) }
  }
}
