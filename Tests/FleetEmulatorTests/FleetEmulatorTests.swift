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
    private(set) var events: [String] = []

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
      // Polls are spread within an interval.
      let seconds = (clock.now - start).components.seconds
      events.append("\(seconds / 600 * 600) \(event)")
      #expect(seconds % 600 <= 6)
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
    #expect(model.state == .inactive)
    await services.close()
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
}
