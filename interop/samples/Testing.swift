// The context of the samples of FleetEmulator.md and TestingYourCode.md.

import FleetEmulator
import Tripwire

private let home = LatLng(latitude: 37.77, longitude: -122.42)
private let station = LatLng(latitude: 37.79, longitude: -122.40)
private let route = [home, station]

// sample TestingYourCode

@MainActor func startFleet() async throws {
  let board = StatusRecorder()
  // sample FleetEmulator
  expect(board.statuses.last == .complete)
}

@MainActor func followInVirtualTime() async throws {
  // sample TestingYourCode
}

@MainActor func makeErrors() async throws {
  let clock = VirtualClock()
  let fleet = FleetEmulator(provider: "p", clock: clock)
  fleet.trips["t1"] = Trip(pickup: home, dropoff: station, vehicle: "v1")
  // sample TestingYourCode
  expect(fleet.trips["t1"]?.tripStatus == .arrivedAtPickup)
  // sample TestingYourCode
  let board = StatusRecorder()
  let model = FleetServices(emulator: fleet).tripService.tripModel(
    forTripName: "providers/p/trips/t1")
  model.register(board)
  await clock.advance(by: .seconds(10))
  // sample TestingYourCode
}

@MainActor func readUpdates() async {
  let clock = VirtualClock()
  let fleet = FleetEmulator(provider: "p", clock: clock)
  fleet.trips["t1"] = Trip(pickup: home, dropoff: station, vehicle: "v1")
  fleet.trips["t1"]?.tripStatus = .complete
  let model = FleetServices(emulator: fleet).tripService.tripModel(
    forTripName: "providers/p/trips/t1")
  // sample TestingYourCode
}

// sample TestingYourCode

func replaceService() async throws {
  // sample TestingYourCode
}
