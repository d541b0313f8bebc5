import FleetEngineAPI
import WireProtobuf

/// The vehicles that move by themselves.
package struct Traffic: Sendable {
  /// Vehicles with one trip after the other.
  package struct Demo: Sendable {
    /// The number of vehicles, at least 1.
    package var vehicles = 3
    /// The name of the provider.
    package var provider = "providers/demo"
    /// The factor by which all is faster than usual.
    package var speedup = 1.0

    package init() {}
  }

  private var drivers: [Driver] = []
  /// When something happens next; nil if nothing does.
  private var next: Timestamp?

  /// Adds vehicles v1, v2, …, which have no drivers yet, with the trips t1, t2, … to an engine. Those that it has, from
  /// an earlier run, continue from their places with their next trips.
  mutating func add(_ demo: Demo, at now: Timestamp, _ engine: inout FleetEngine) {
    let options = Driver.Options(
      speed: usualSpeed * demo.speedup, wait: Driver.Options().wait / demo.speedup)
    for number in 1...max(1, demo.vehicles) {
      let id = "v\(number)"
      var dice = Dice(seed: "home of \(id)")
      let home = dice.place
      _ = try? engine.createVehicle(
        CreateVehicleRequest(
          parent: demo.provider, vehicleId: id, vehicle: Vehicle(at: home, time: now)), at: now)
      var trips = DemoTrips(number: number, pause: .seconds(60) / demo.speedup)
      let stored = engine[parent: demo.provider].vehicles[id]
      trips.resume(stored, of: demo.provider, at: now, &engine)
      drivers.append(
        Driver(
          id, of: demo.provider, at: stored?.vehicle.lastLocation?.location ?? home, begin: now,
          options, then: trips))
    }
    next = now
    advance(to: now, &engine)
  }

  /// Adds a driver, who replaces an earlier one of the vehicle.
  mutating func add(_ driver: Driver, at now: Timestamp, _ engine: inout FleetEngine) {
    drivers.removeAll { $0.isOf(driver) }
    drivers.append(driver)
    next = now
    advance(to: now, &engine)
  }

  /// Reports all that has happened up to a time.
  mutating func advance(to now: Timestamp, _ engine: inout FleetEngine) {
    guard let next, next <= now else { return }
    for index in drivers.indices { drivers[index].advance(to: now, &engine) }
    drivers.removeAll { $0.next == nil }
    self.next = drivers.compactMap(\.next).min()
  }
}

extension Vehicle {
  /// Creates a car for four passengers that is online.
  init(at place: LatLng, time: Timestamp?) {
    self.init(
      vehicleState: .online, supportedTripTypes: [.exclusive, .shared],
      lastLocation: VehicleLocation(location: place, updateTime: time), maximumCapacity: 4,
      vehicleType: Vehicle.VehicleType(category: .auto))
  }
}
