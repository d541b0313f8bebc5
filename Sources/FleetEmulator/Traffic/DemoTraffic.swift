import FleetEngineAPI
import WireProtobuf

/// Vehicles that move by themselves, each with one trip after the other.
package struct DemoTraffic: Sendable {
  package struct Options: Sendable {
    /// The number of vehicles, at least 1.
    package var vehicles = 3
    /// The name of the provider.
    package var provider = "providers/demo"
    /// The factor by which vehicles are faster than usual.
    package var speedup = 1.0

    package init() {}
  }

  private var drivers: [Driver] = []
  /// When something happens next.
  private var next: Timestamp

  /// Adds vehicles v1, v2, … with the trips t1, t2, … to an engine. Those that it has, from an earlier run, continue
  /// from their places with their next trips.
  init(_ options: Options, at now: Timestamp, _ engine: inout FleetEngine) {
    next = now
    let (provider, speedup) = (options.provider, options.speedup)
    for number in 1...max(1, options.vehicles) {
      let id = "v\(number)"
      var dice = Dice(seed: "home of \(id)")
      let place = dice.place
      _ = try? engine.createVehicle(
        CreateVehicleRequest(
          parent: provider, vehicleId: id,
          vehicle: Vehicle(
            vehicleState: .online, supportedTripTypes: [.exclusive, .shared],
            lastLocation: VehicleLocation(location: place, updateTime: now), maximumCapacity: 4,
            vehicleType: Vehicle.VehicleType(category: .auto))), at: now)
      var driver = Driver(id, of: provider, at: place, begin: now, speedup: speedup)
      driver.resume(at: now, &engine)
      drivers.append(driver)
    }
    advance(to: now, &engine)
  }

  /// Reports all that has happened up to a time.
  mutating func advance(to now: Timestamp, _ engine: inout FleetEngine) {
    guard next <= now else { return }
    for index in drivers.indices { drivers[index].advance(to: now, &engine) }
    next = drivers.map(\.next).min() ?? now
  }
}
