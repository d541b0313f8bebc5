import FleetEngineAPI
import Testing
import WireProtobuf

@testable import FleetEmulator

@Suite struct DriverTests {
  private static let start = Timestamp(seconds: 1_800_000_000, nanos: 0)

  private static func traffic(
    _ vehicles: Int, at now: Timestamp = start, _ engine: inout FleetEngine
  ) -> Traffic {
    var demo = Traffic.Demo()
    demo.vehicles = vehicles
    demo.provider = "providers/p"
    var traffic = Traffic()
    traffic.add(demo, at: now, &engine)
    return traffic
  }

  /// The statuses of a trip when it is looked at every few seconds of two hours.
  private func statuses(of trip: String, every seconds: Double) throws -> [TripStatus] {
    var engine = FleetEngine()
    var traffic = Self.traffic(3, &engine)
    var seen: [TripStatus] = []
    var now = Self.start
    while now < Self.start + .seconds(7_200) {
      now = now + .seconds(seconds)
      traffic.advance(to: now, &engine)
      let request = GetTripRequest(name: "providers/p/trips/\(trip)")
      guard let bytes = try? engine.getTrip(request, at: now) else { continue }
      let status = try Trip(serializedBytes: bytes).tripStatus
      if seen.last != status { seen.append(status) }
    }
    return seen
  }

  @Test func aTripPassesEveryStatus() throws {
    #expect(
      try statuses(of: "t1", every: 1) == [
        .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
        .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete,
      ])
    #expect(
      try statuses(of: "t3-2", every: 1) == [
        .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete,
      ])
  }

  /// Returns the trips and vehicles after an hour, without what depends on the last location.
  private func state(after steps: [Double]) -> [Trip] {
    var engine = FleetEngine()
    var traffic = Self.traffic(3, &engine)
    var now = Self.start
    for step in steps {
      now = now + .seconds(step)
      traffic.advance(to: now, &engine)
    }
    let request = SearchTripsRequest(parent: "providers/p")
    return (try? engine.searchTrips(request, at: now))?.trips.map { trip in
      var trip = trip
      trip.lastLocation?.timeSinceUpdate = nil
      return trip
    } ?? []
  }

  @Test func theStateDependsOnTheTimeOnly() {
    let once = state(after: [3_600])
    #expect(once.count > 3)
    #expect(state(after: Array(repeating: 3, count: 1_200)) == once)
    #expect(state(after: [1_000, 0.5, 2_000, 599.5]) == once)
  }

  @Test func aVehicleIsAtMostAsFastAsItDrives() throws {
    var engine = FleetEngine()
    var traffic = Self.traffic(1, &engine)
    var last: LatLng?
    var now = Self.start
    for _ in 0..<500 {
      now = now + .seconds(4)
      traffic.advance(to: now, &engine)
      let vehicle = try engine.getVehicle(
        GetVehicleRequest(name: "providers/p/vehicles/v1"), at: now)
      let place = try #require(vehicle.lastLocation?.location)
      // Two reports are at most 6 s apart.
      if let last { #expect(last.meters(to: place) <= 6 * 8 + 1) }
      last = place
    }
  }

  @Test func aDriverContinuesAfterARestart() throws {
    var engine = FleetEngine()
    var traffic = Self.traffic(1, &engine)
    let restart = Self.start + .seconds(200)
    traffic.advance(to: restart, &engine)
    func vehicle() throws -> Vehicle {
      try engine.getVehicle(GetVehicleRequest(name: "providers/p/vehicles/v1"), at: restart)
    }
    func status(_ trip: String) throws -> TripStatus {
      let request = GetTripRequest(name: "providers/p/trips/\(trip)")
      return try Trip(serializedBytes: engine.getTrip(request, at: restart)).tripStatus
    }
    _ = try engine.createTrip(
      CreateTripRequest(
        parent: "providers/p", tripId: "other",
        trip: Trip(
          vehicleId: "v1", tripType: .shared, pickupPoint: .at(1, 1), dropoffPoint: .at(1, 2))),
      at: restart)
    let place = try vehicle().lastLocation?.location
    traffic = Self.traffic(1, at: restart, &engine)
    #expect(try status("t1") == .canceled)
    #expect(try status("t1-2") == .enrouteToPickup)
    #expect(try status("other") == .new)
    #expect(try vehicle().currentTrips == ["other", "t1-2"])
    #expect(try vehicle().lastLocation?.location == place)
  }

  @Test func aDriverToleratesChangesByOthers() throws {
    var engine = FleetEngine()
    var traffic = Self.traffic(1, &engine)
    _ = try engine.updateTrip(
      UpdateTripRequest(
        name: "providers/p/trips/t1", trip: Trip(tripStatus: .canceled),
        updateMask: ["trip_status"]), at: Self.start)
    _ = try engine.deleteTrip(DeleteTripRequest(name: "providers/p/trips/t1"), at: Self.start)
    _ = try engine.deleteVehicle(
      DeleteVehicleRequest(name: "providers/p/vehicles/v1"), at: Self.start)
    traffic.advance(to: Self.start + .seconds(100_000), &engine)
    #expect(
      try engine.searchTrips(SearchTripsRequest(parent: "providers/p"), at: Self.start).trips == [])
  }
}
