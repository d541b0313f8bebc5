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
