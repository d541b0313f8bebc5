// The context of the samples of TripsFromASource.md and TripRelay.md.

import Synchronization
import Tripwire

@MainActor func followFromSource(_ source: any TripSource) async throws {
  // sample TripsFromASource
}

@MainActor func relaySource() throws {
  // sample TripsFromASource
}

@MainActor func followFromRelay() async throws {
  // sample TripRelay
}

// sample TripsFromASource

@MainActor func dispatcher() async throws {
  let dispatcher = Dispatcher()
  dispatcher.enter(Trip(name: "providers/my-project/trips/t1", tripStatus: .complete))
  try await followFromSource(dispatcher)
}

@MainActor func dispatcherWithReader() async throws {
  let dispatcher = Dispatcher()
  let fleet = try FleetServices(providerID: "my-project", source: dispatcher)
  let name = "providers/my-project/trips/t1"
  var statuses: [TripStatus?] = []
  for await update in fleet.tripService.tripModel(forTripName: name).updates {
    statuses.append(update.trip?.tripStatus)
    // The model follows the trip only after the first update.
    let status = statuses.count == 1 ? TripStatus.enrouteToPickup : .complete
    dispatcher.enter(Trip(name: name, tripStatus: status))
  }
  expect(statuses == [nil, .enrouteToPickup, .complete])
}
