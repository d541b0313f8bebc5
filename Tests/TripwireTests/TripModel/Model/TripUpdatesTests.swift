import FleetEngineAPI
import Testing
import WireGRPC

@testable import Tripwire

@MainActor @Suite(.timeLimit(.minutes(20))) final class TripUpdatesTests: TripModelFixture {
  @Test func sequenceEndsWithTheTrip() async {
    async let statuses = model.updates.reduce(into: [TripStatus?]()) {
      $0.append($1.trip?.tripStatus)
    }
    await respond()
    await pass()
    await respond { $0.tripStatus = .complete }
    // Intermediate states may be skipped.
    #expect(await statuses.last == .complete)
    #expect(model.state == .inactive)
  }

  @Test func sequenceContainsOnlyChanges() async throws {
    var updates = model.updates.makeAsyncIterator()
    #expect(await updates.next()?.trip == nil)
    await respond()
    #expect(await updates.next()?.changed == [.tripName, .tripStatus])
    await pass()
    await respond()
    await pass()
    await fail(.unavailable)
    let failed = try #require(await updates.next())
    #expect(failed.changed == [] && failed.failureChanged)
    #expect(failed.failure?.error.code == .unavailable)
    await pass()
    await respond()
    let recovered = try #require(await updates.next())
    #expect(recovered.failureChanged && recovered.failure == nil)
  }

  @Test func canceledSequenceEnds() async {
    let reader = Task { [model] in
      for await _ in model.updates {}
    }
    _ = await server.next()
    reader.cancel()
    await reader.value
    #expect(model.state == .inactive)
  }

  @Test func droppedSequenceEndsPolling() async {
    do {
      var updates = model.updates.makeAsyncIterator()
      _ = await updates.next()
      #expect(model.state == .active)
    }
    #expect(model.state == .inactive)
  }

  @Test func updatesAndFailuresCanBeCreated() {
    let trip = Trip(tripStatus: .new)
    let first = TripUpdate(trip: trip)
    #expect(first.changed == .tripStatus && first.stateChanged && !first.failureChanged)
    #expect(first.trip == trip && first.state == .active && !first.isStale)
    let error = CallError(code: .unavailable, message: "", origin: .server)
    let second = TripUpdate(
      trip: trip, failure: TripFailure(error: error), isStale: true, since: first)
    #expect(second.changed == [] && !second.stateChanged && second.stalenessChanged)
    #expect(second.failureChanged && second.failure?.count == 1)
    let last = TripUpdate(state: .inactive, trip: nil, refreshed: nil, since: second)
    #expect(last.changed == .tripStatus && last.stateChanged && last.failureChanged)
    #expect(last.refreshed == nil)
  }
}
