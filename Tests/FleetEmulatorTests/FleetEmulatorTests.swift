import Testing
import Tripwire
import WireSystem

@testable import FleetEmulator

@Suite struct FleetEmulatorTests {
  let clock = VirtualClock()
  let fleet: FleetEmulator
  let services: FleetServices

  init() {
    fleet = FleetEmulator(provider: "p", clock: clock)
    services = FleetServices(emulator: fleet)
  }

  private static let home = LatLng(latitude: 37.77, longitude: -122.42)
  private static let station = LatLng(latitude: 37.79, longitude: -122.40)

  private func addTrip(_ id: String = "t1") {
    fleet.trips[id] = Trip(pickup: Self.home, dropoff: Self.station, vehicle: "v1")
  }

  @Test func callsGoThroughClientAndServer() async throws {
    addTrip()
    let trip = try await services.tripService.getTrip(services.tripName("t1"))
    #expect(trip.vehicleId == "v1")
    #expect(trip.remainingWaypoints.map(\.waypointType) == [.pickup, .dropOff])
    let error = await #expect(throws: CallError.self) {
      try await services.tripService.getTrip(services.tripName("t2"))
    }
    #expect(error?.code == .notFound)
    await services.close()
  }

  @Test func resourcesAreReadChangedAndRemoved() async throws {
    addTrip()
    #expect(fleet.trips["t1"]?.tripStatus == .new)
    #expect(fleet.vehicles["v1"]?.currentTrips == ["t1"])
    fleet.trips["t1"]?.tripStatus = .enrouteToPickup
    #expect(fleet.trips["t1"]?.tripStatus == .enrouteToPickup)
    fleet.vehicles["v1"]?.lastLocation = VehicleLocation(location: Self.station)
    #expect(fleet.trips["t1"]?.lastLocation?.location == Self.station)
    fleet.trips["t1"] = nil
    #expect(fleet.trips["t1"] == nil)
    #expect(fleet.vehicles["v1"]?.currentTrips == [])
    fleet.vehicles["v1"] = nil
    #expect(fleet.vehicles["v1"] == nil)
  }

  @Test func aVehicleThatIsSetKeepsItsTrips() {
    addTrip()
    fleet.vehicles["v1"] = Vehicle(at: Self.station)
    #expect(fleet.vehicles["v1"]?.lastLocation?.location == Self.station)
    #expect(fleet.vehicles["v1"]?.waypoints.count == 2)
    #expect(fleet.trips["t1"]?.remainingWaypoints.count == 2)
  }

  @Test func aCanceledTestStopsTheClock() async {
    let start = clock.now
    await withTaskGroup { group in
      group.addTask { await clock.advance(by: .seconds(1_000_000)) }
      group.cancelAll()
    }
    #expect(clock.now - start < .seconds(1_000_000))
  }

  @Test func timeEndsWithTheYear9998() async {
    await clock.advance(by: .seconds(Int64.max))
    await clock.advance(by: .seconds(Int64.max))
    #expect(clock.timestamp == Timestamp(seconds: 253_370_764_800))
  }

  @Test func deliveriesAreResources() async throws {
    fleet.deliveryVehicles["d1"] = DeliveryVehicle()
    fleet.tasks["k1"] = DeliveryTask(
      type: .delivery, state: .open, trackingId: "s1",
      plannedLocation: LocationInfo(point: Self.home), taskDuration: WireDuration(.seconds(60)))
    #expect(fleet.tasks["k1"]?.trackingId == "s1")
    let name = try services.taskTrackingInfoName("s1")
    #expect(try await services.deliveryService.getTaskTrackingInfo(name).state == .open)
  }

  /// The reason reaches the program, although a subscript cannot throw.
  @Test func callsFailWithTheReasonWhyAResourceIsNotStored() async throws {
    fleet.trips["t1"] = Trip()
    let error = await #expect(throws: CallError.self) {
      try await services.tripService.getTrip(services.tripName("t1"))
    }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message.hasPrefix("the program could not store providers/p/trips/t1: trip.") == true)
    addTrip()
    _ = try await services.tripService.getTrip(services.tripName("t1"))
    // A status never goes back.
    fleet.trips["t1"]?.tripStatus = .complete
    fleet.trips["t1"]?.tripStatus = .new
    await #expect(throws: CallError.self) {
      try await services.tripService.getTrip(services.tripName("t1"))
    }
  }

  @MainActor final class Recorder: TripModelSubscriber {
    private let clock: VirtualClock
    private let start: ContinuousClock.Instant
    private(set) var statuses: [String] = []
    /// With the time, rounded down to 600 seconds.
    private(set) var events: [String] = []
    /// The longest time of an event after a multiple of 600 seconds.
    private(set) var lateness: Int64 = 0

    init(_ clock: VirtualClock) {
      self.clock = clock
      start = clock.now
    }

    func tripModel(_ tripModel: TripModel, didUpdate tripStatus: TripStatus) {
      note(tripStatus.name ?? "?")
    }

    func tripModel(_ tripModel: TripModel, didFailUpdateTripWithError error: CallError) {
      note("\(error.code)")
    }

    private func note(_ event: String) {
      statuses.append(event)
      let seconds = (clock.now - start).components.seconds
      events.append("\(seconds / 600 * 600) \(event)")
      lateness = max(lateness, seconds % 600)
    }
  }

  @MainActor @Test func aTripIsFollowedToItsEndInVirtualTime() async throws {
    addTrip()
    let model = services.tripService.tripModel(forTripName: "providers/p/trips/t1")
    model.options.refreshInterval = .seconds(5)
    let recorder = Recorder(clock)
    model.register(recorder, on: .main)
    let statuses: [TripStatus] = [
      .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete,
    ]
    for status in statuses {
      await clock.advance(by: .seconds(600))
      fleet.trips["t1"]?.tripStatus = status
    }
    await clock.advance(by: .seconds(600))
    #expect(
      recorder.events == [
        "0 NEW", "600 ENROUTE_TO_PICKUP", "1200 ARRIVED_AT_PICKUP", "1800 ENROUTE_TO_DROPOFF",
        "2400 COMPLETE",
      ])
    // Polls are spread within an interval.
    #expect(recorder.lateness <= 6)
    #expect(model.state == .inactive)
    await services.close()
  }

  @MainActor @Test func aDriveCarriesOutTheTripsOfTheVehicle() async throws {
    let stops = [37.775, 37.78].map { LatLng(latitude: $0, longitude: -122.41) }
    fleet.vehicles["v1"] = Vehicle(at: LatLng(latitude: 37.76, longitude: -122.42))
    fleet.trips["t1"] = Trip(
      pickup: Self.home, dropoff: Self.station, stops: stops, vehicle: "v1")
    let model = services.tripService.tripModel(forTripName: "providers/p/trips/t1")
    model.options.refreshInterval = .seconds(5)
    let recorder = Recorder(clock)
    fleet.drive("v1", speed: 12, wait: .seconds(30))
    model.register(recorder, on: .main)
    await clock.advance(by: .seconds(60))
    let trip = try #require(model.current)
    #expect(trip.lastLocation?.speed == 12)
    // A degree of latitude has about 111 km.
    #expect(abs((trip.lastLocation?.location?.latitude ?? 0) - 37.76 - 720 / 111_195) < 0.001)
    await clock.advance(by: .seconds(1_800))
    #expect(
      recorder.statuses == [
        "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
        "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
        "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_DROPOFF", "COMPLETE",
      ])
    #expect(fleet.vehicles["v1"]?.lastLocation?.location == Self.station)
    await services.close()
  }

  /// The stops of two trips lie beside the route, and the route goes on after the last one.
  @Test func aDriveAlongARoutePassesTheStopsOfSharedTrips() async throws {
    let route = (0...30).map { LatLng(latitude: 37.70 + Double($0) / 1_000, longitude: -122.4) }
    fleet.vehicles["v1"] = Vehicle(at: route[0])
    for (id, pickup, dropoff) in [("a", 5, 20), ("b", 10, 25)] {
      func beside(_ index: Int) -> LatLng {
        LatLng(latitude: route[index].latitude, longitude: -122.3999)
      }
      fleet.trips[id] = Trip(pickup: beside(pickup), dropoff: beside(dropoff), vehicle: "v1")
      fleet.trips[id]?.tripType = .shared
    }
    let waypoints = try #require(fleet.vehicles["v1"]?.waypoints)
    let order = [0, 2, 1, 3].map { waypoints[$0] }
    fleet.vehicles["v1"]?.waypoints = order
    fleet.drive("v1", along: route, speed: 10, wait: .zero)
    // 111 m a second time each point.
    await clock.advance(by: .seconds(15 * 11))
    #expect(fleet.trips["a"]?.tripStatus == .enrouteToDropoff)
    #expect(fleet.trips["b"]?.tripStatus == .enrouteToDropoff)
    await clock.advance(by: .seconds(8 * 12))
    #expect(fleet.trips["a"]?.tripStatus == .complete)
    #expect(fleet.trips["b"]?.tripStatus == .enrouteToDropoff)
    await clock.advance(by: .seconds(300))
    #expect(fleet.trips["b"]?.tripStatus == .complete)
    #expect(fleet.vehicles["v1"]?.lastLocation?.location == route[30])
    #expect(fleet.vehicles["v1"]?.currentTrips == [])
  }

  @MainActor @Test func theModelRecoversFromAnOutage() async throws {
    addTrip()
    let model = services.tripService.tripModel(forTripName: "providers/p/trips/t1")
    model.options.refreshInterval = .seconds(5)
    let recorder = Recorder(clock)
    model.register(recorder, on: .main)
    await clock.advance(by: .seconds(10))
    fleet.fail(.getTrip, with: .unavailable, for: .seconds(20))
    await clock.advance(by: .seconds(15))
    #expect(model.failure?.error.code == .unavailable)
    await clock.advance(by: .seconds(60))
    #expect(model.failure == nil)
    #expect(recorder.statuses == ["NEW", "UNAVAILABLE"])
    fleet.disconnect(times: 1)
    fleet.hang(.getTrip, for: .seconds(10))
    await clock.advance(by: .seconds(120))
    #expect(model.failure == nil)
    await services.close()
  }

  @Test func slowAnswersTakeVirtualTime() async throws {
    addTrip()
    fleet.delay(by: .seconds(3))
    let name = try services.tripName("t1")
    let start = clock.now
    async let trip = services.tripService.getTrip(name)
    while clock.now - start < .seconds(10) { await clock.advance(by: .seconds(1)) }
    #expect(try await trip.tripStatus == .new)
    fleet.recover()
    fleet.hang()
    async let late: Trip = services.tripService.getTrip(
      name, options: CallOptions(timeout: .seconds(5)))
    await clock.advance(by: .seconds(1))
    await clock.advance(by: .seconds(10))
    do {
      _ = try await late
      Issue.record("the call must not be answered")
    } catch let error as CallError {
      #expect(error.code == .deadlineExceeded)
    }
  }

  @Test func noCallFailsWithoutACount() async throws {
    addTrip()
    for count in [0, -1] { fleet.fail(with: .notFound, times: count) }
    fleet.disconnect(times: -1)
    fleet.fail(with: .notFound, for: .zero)
    fleet.delay(by: .zero)
    _ = try await services.tripService.getTrip(services.tripName("t1"))
  }

  @Test func setThrowsTheReason() throws {
    try fleet.trips.set("t1", Trip(pickup: Self.home, dropoff: Self.station, vehicle: "v1"))
    let error = #expect(throws: CallError.self) { try fleet.vehicles.set("v1", nil) }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("has the active trips t1") == true)
    #expect(fleet.vehicles["v1"] != nil)
    let slash = #expect(throws: CallError.self) {
      try fleet.vehicles.set("a/b", Vehicle(at: Self.home))
    }
    #expect(slash?.code == .invalidArgument)
    try fleet.trips.set("t1", nil)
    try fleet.vehicles.set("v1", nil)
    #expect(fleet.vehicles["v1"] == nil)
  }

  @Test func simultaneousAdvancesAddUp() async {
    let start = clock.now
    await withTaskGroup { group in
      for seconds in 1...4 { group.addTask { await clock.advance(by: .seconds(seconds)) } }
    }
    #expect(clock.now - start == .seconds(10))
    await withTaskGroup { group in
      group.addTask { await clock.advance(by: .seconds(1_000)) }
      group.cancelAll()
    }
    let stopped = clock.now
    await clock.advance(by: .seconds(1))
    #expect(clock.now - stopped == .seconds(1))
  }

  @Test func methodsAreThoseOfTheEngine() {
    #expect(FleetEmulator.Method.allCases.map(\.path).sorted() == FleetEngine.paths)
  }

  @Test func faultsEndWithTheirTime() async throws {
    addTrip()
    let name = try services.tripName("t1")
    func get() async -> StatusCode {
      do throws(CallError) {
        _ = try await services.tripService.getTrip(name, options: CallOptions(timeout: .seconds(5)))
        return .ok
      } catch { return error.code }
    }
    fleet.fail(.getTrip, with: .permissionDenied, for: .seconds(20))
    #expect(await get() == .permissionDenied)
    await clock.advance(by: .seconds(20))
    #expect(await get() == .ok)
    fleet.fail(with: .notFound, times: 1)
    #expect(await get() == .notFound)
    #expect(await get() == .ok)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func nothingIsLeftWhenAllIsReleased(inVirtualTime: Bool) async throws {
    weak var engine: EmulatedFleet?
    do {
      let fleet = FleetEmulator(provider: "p", clock: inVirtualTime ? VirtualClock() : nil)
      engine = fleet.fleet
      fleet.trips["t1"] = Trip(pickup: Self.home, dropoff: Self.station, vehicle: "v1")
      let services = FleetServices(emulator: fleet)
      _ = try await services.tripService.getTrip(services.tripName("t1"))
    }
    while engine != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(engine == nil)
  }

  @Test(arguments: [0, -1, .infinity, .nan]) func aDriveTakesAnySpeed(_ speed: Double) async {
    addTrip()
    fleet.drive("v1", speed: speed)
    await clock.advance(by: .seconds(86_400))
    #expect(fleet.trips["t1"]?.tripStatus == .complete)
  }

  @Test func aDriveLeavesOutPlacesThatAreNotOnTheGlobe() async {
    let bad = [(Double.nan, 0.0), (.infinity, 0), (91, 0), (0, 1e300)].map {
      LatLng(latitude: $0, longitude: $1)
    }
    addTrip()
    fleet.drive("v1", along: bad + [Self.home] + bad + [Self.station] + bad)
    await clock.advance(by: .seconds(3_600))
    #expect(fleet.trips["t1"]?.tripStatus == .complete)
    #expect(fleet.vehicles["v1"]?.lastLocation?.location == Self.station)
  }

  /// Longer than 2^72 attoseconds.
  @MainActor @Test(.timeLimit(.minutes(20))) func aModelFollowsForHours() async {
    addTrip()
    let model = services.tripService.tripModel(forTripName: "providers/p/trips/t1")
    model.options.refreshInterval = .seconds(60)
    let recorder = Recorder(clock)
    model.register(recorder, on: .main)
    await clock.advance(by: .seconds(12_000))
    fleet.trips["t1"]?.tripStatus = .enrouteToPickup
    await clock.advance(by: .seconds(120))
    #expect(recorder.events == ["0 NEW", "12000 ENROUTE_TO_PICKUP"])
    model.unregister(recorder)
  }
}
