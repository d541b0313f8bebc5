import FleetEngineAPI
import Testing
import WireGRPC

@testable import Tripwire

@MainActor @Suite(.timeLimit(.minutes(20))) final class TripSourceTests {
  private let source = ScriptedSource()
  private let clock = VirtualClock()
  private let model: TripModel

  init() throws {
    let name = try TripName(providerID: "p", tripID: "t")
    model = TripModel(
      PolledResource(
        name: name.description, poller: ResourcePoller(clock: clock),
        .source { [source] in source.follow(name, report: $0) }))
  }

  private func failure(_ code: StatusCode, count: Int = 1, age: Duration = .zero) -> TripFailure {
    TripFailure(
      error: CallError(code: code, message: "scripted", origin: .server),
      since: clock.now - age, count: count)
  }

  /// The updates after the first, which has no trip.
  private func updates() async -> TripUpdates.Iterator {
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    return updates
  }

  @Test func sourceIsAskedWhileThereAreReaders() async {
    #expect(source.started.isEmpty)
    let (one, other) = (Recorder(), Recorder())
    model.register(one)
    model.register(other)
    await source.send(TripReport(trip: trip()))
    await waitUntil { model.currentTrip != nil }
    #expect(source.started == ["providers/p/trips/t"])
    model.unregister(one)
    #expect(model.state == .active)
    model.unregister(other)
    await waitUntil { source.stopped == ["providers/p/trips/t"] }
    await waitUntil { await clock.hasNoTimer }
    model.register(one)
    await waitUntil { source.started.count == 2 }
    model.unregister(one)
    await waitUntil { source.stopped.count == 2 }
  }

  @Test func subscribersReceiveTheCallsOfAPolledTrip() async {
    let recorder = Recorder()
    model.register(recorder)
    await source.send(TripReport(trip: trip(distance: 7)))
    await waitUntil { recorder.calls.contains("distance 7") }
    await source.send(TripReport(trip: nil, failure: failure(.unavailable)))
    await waitUntil { recorder.calls.contains("error UNAVAILABLE") }
    await source.send(TripReport(trip: trip(.complete)))
    await waitUntil { recorder.calls.last == "inactive" }
    #expect(recorder.calls.first == "active")
    #expect(recorder.calls.contains("enrouteToPickup") && recorder.calls.contains("complete"))
  }

  @Test func finalStatusEndsTheSequenceAndTheSource() async {
    var updates = await updates()
    await source.send(TripReport(trip: trip()))
    #expect(await updates.next()?.trip?.tripStatus == .enrouteToPickup)
    await source.send(TripReport(trip: trip(.canceled)))
    let last = await updates.next()
    #expect(last?.trip?.tripStatus == .canceled && last?.state == .inactive)
    #expect(await updates.next() == nil)
    await waitUntil { source.stopped.count == 1 }
    await waitUntil { await clock.hasNoTimer }
  }

  @Test func unchangedTripIsNoUpdateButIsConfirmed() async throws {
    var updates = await updates()
    await source.send(TripReport(trip: trip(distance: 1)))
    #expect(await updates.next()?.changed.contains(.tripStatus) == true)
    await clock.advance(by: .seconds(4))
    await source.send(TripReport(trip: trip(distance: 1), age: .seconds(1)))
    await waitUntil { model.refreshed == clock.now - .seconds(1) }
    await source.send(TripReport(trip: trip(distance: 2)))
    let changed = await updates.next()?.changed
    #expect(changed?.contains(.remainingDistanceOfActiveRoute) == true)
    #expect(changed?.contains(.tripStatus) == false)
  }

  @Test func silentSourceMakesTheTripStale() async throws {
    var updates = await updates()
    await source.send(
      TripReport(trip: trip(), age: .seconds(1), refreshInterval: .seconds(2)))
    #expect(await updates.next()?.isStale == false)
    #expect(await clock.nextWake() == .seconds(5))
    await clock.advance(by: .seconds(5))
    let stale = try #require(await updates.next())
    #expect(stale.isStale && stale.stalenessChanged && stale.failure == nil)
    await source.send(TripReport(trip: trip(), refreshInterval: .seconds(2)))
    #expect(await updates.next()?.isStale == false)
  }

  @Test func optionsHaveTheIntervalOfASourceWithoutOne() async {
    model.options.refreshInterval = .seconds(1)
    var updates = await updates()
    await source.send(TripReport(trip: trip()))
    _ = await updates.next()
    #expect(await clock.nextWake() == .seconds(3))
  }

  @Test func oldTripIsStaleAtOnce() async {
    var updates = await updates()
    await source.send(TripReport(trip: trip(), age: .seconds(60)))
    let update = await updates.next()
    #expect(update?.isStale == true && update?.trip != nil)
  }

  @Test func sourceThatIsCutOffMakesTheTripStale() async throws {
    var updates = await updates()
    await source.send(TripReport(trip: trip()))
    _ = await updates.next()
    await source.send(
      TripReport(trip: nil, failure: failure(.unavailable), isSourceDisconnected: true))
    let update = try #require(await updates.next())
    #expect(update.isStale && update.failure?.error.code == .unavailable)
    #expect(update.state == .active)
    await source.send(TripReport(trip: trip()))
    let recovered = try #require(await updates.next())
    #expect(!recovered.isStale && recovered.failure == nil)
  }

  @Test func failureKeepsItsStartWhileItContinues() async throws {
    var updates = await updates()
    await source.send(
      TripReport(trip: trip(), failure: failure(.notFound, count: 3, age: .seconds(10))))
    let first = try #require(await updates.next())
    #expect(first.failure?.count == 3 && first.failure?.since == clock.now - .seconds(10))
    // Clocks differ a little.
    await source.send(
      TripReport(trip: nil, failure: failure(.notFound, count: 4, age: .seconds(9))))
    await waitUntil { model.failure?.count == 4 }
    #expect(model.failure?.since == first.failure?.since)
    // It ended and came back.
    await source.send(
      TripReport(trip: nil, failure: failure(.notFound, count: 1, age: .seconds(1))))
    let second = try #require(await updates.next())
    #expect(second.failureChanged && second.failure?.since == clock.now - .seconds(1))
    await source.send(TripReport(trip: trip()))
    #expect(await updates.next()?.failure == nil)
  }

  @Test func suspensionStopsTheSource() async {
    var updates = await updates()
    await source.send(TripReport(trip: trip()))
    _ = await updates.next()
    let late = await source.receiver(of: model.tripName)
    model.suspend()
    await waitUntil { source.stopped.count == 1 }
    late(TripReport(trip: trip(.arrivedAtPickup)))
    await clock.advance(by: .seconds(15))
    #expect(await updates.next()?.isStale == true)
    model.resume()
    await waitUntil { source.started.count == 2 }
    late(TripReport(trip: trip(.arrivedAtPickup)))
    await source.send(TripReport(trip: trip(.enrouteToDropoff)))
    let update = await updates.next()
    #expect(update?.trip?.tripStatus == .enrouteToDropoff && update?.isStale == false)
  }

  /// The source may be slow to stop.
  @Test func reportsForEarlierReadersAreIgnored() async {
    let recorder = Recorder()
    model.register(recorder)
    let late = await source.receiver(of: model.tripName)
    model.unregister(recorder)
    await waitUntil { source.stopped.count == 1 }
    model.register(recorder)
    await waitUntil { source.started.count == 2 }
    late(TripReport(trip: trip()))
    await source.send(TripReport(trip: nil, failure: failure(.unavailable)))
    await waitUntil { model.failure != nil }
    #expect(model.currentTrip == nil)
    model.unregister(recorder)
  }

  @Test func missingNameIsTheRequestedOne() async {
    var updates = await updates()
    await source.send(TripReport(trip: Trip()))
    #expect(await updates.next()?.trip?.name == "providers/p/trips/t")
  }

  @Test func malformedNameFailsWithoutTheSource() async throws {
    let fleet = try FleetServices(providerID: "p", source: source)
    let model = fleet.tripService.tripModel(forTripName: "providers/p/vehicles/v")
    let recorder = Recorder()
    model.register(recorder)
    await waitUntil { model.failure != nil }
    let failure = try #require(model.failure)
    #expect(failure.error.code == .invalidArgument && failure.error.kind == .client)
    model.unregister(recorder)
    #expect(source.started.isEmpty)
  }

  @Test func closedServicesStopTheSource() async throws {
    let fleet = try FleetServices(providerID: "p", source: source)
    let model = fleet.tripService.tripModel(forTripName: try fleet.tripName("t"))
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await source.send(TripReport(trip: trip()))
    #expect(await updates.next()?.trip != nil)
    #expect(fleet.tripService.activeTripModels.first === model)
    await fleet.close()
    #expect(source.stopped == ["providers/p/trips/t"])
  }

  @Test func callsOverASourceFail() async throws {
    let fleet = try FleetServices(providerID: "p", source: source)
    let name = try fleet.tripName("t")
    let error = await #expect(throws: CallError.self) { try await fleet.tripService.getTrip(name) }
    #expect(error?.code == .failedPrecondition && error?.kind == .client)
    #expect(error?.path == "/maps.fleetengine.v1.TripService/GetTrip")
    #expect(error?.message.contains("tokenProvider") == true)
  }
}
