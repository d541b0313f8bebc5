import FleetEngineAPI
import Testing
import WireGRPC
import WireGRPCClient
import WireIO
import WireSystem

@testable import Tripwire

/// Writes down what it is told.
@MainActor private final class Recorder: @MainActor TripModelSubscriber {
  private(set) var calls: [String] = []
  private var watcher: (count: Int, CheckedContinuation<Void, Never>)?
  var whenTold: (() -> Void)?

  private func add(_ call: String) {
    calls.append(call)
    whenTold?()
    if let watcher, calls.count >= watcher.count {
      self.watcher = nil
      watcher.1.resume()
    }
  }

  func wait(for count: Int) async {
    guard calls.count < count else { return }
    await withCheckedContinuation { watcher = (count, $0) }
  }

  func tripModel(_ model: TripModel, didUpdate state: TripModelState) { add("\(state)") }
  func tripModel(
    _ model: TripModel, didUpdate trip: Trip?, updatedPropertyFields: TripPropertyFields
  ) { add("trip \(updatedPropertyFields)") }
  func tripModel(_ model: TripModel, didUpdate status: TripStatus) { add("\(status)") }
  func tripModel(_ model: TripModel, didUpdateETAToNextWaypoint eta: Timestamp?) {
    add("ETA \(eta?.seconds ?? -1)")
  }
  func tripModel(_ model: TripModel, didUpdateActiveRouteRemainingDistance distance: Int32?) {
    add("distance \(distance ?? -1)")
  }
  func tripModel(_ model: TripModel, didFailUpdateTripWithError error: CallError) {
    add("error \(error.code)")
  }
}

/// Is told on an executor of its choice.
private final class Listener: TripModelSubscriber, Sendable {
  let told = Locked<[TripStatus]>([])
  private let check: @Sendable () -> Void

  init(check: @escaping @Sendable () -> Void = {}) { self.check = check }

  func tripModel(_ model: TripModel, didUpdate status: TripStatus) {
    check()
    told.withLock { $0.append(status) }
  }
}

@MainActor @Suite(.timeLimit(.minutes(20))) final class TripModelTests {
  private let server = ScriptedTrips()
  private let clock = VirtualClock()
  private let model: TripModel

  init() {
    model = Self.model(server, clock)
  }

  deinit {
    clock.end()
    Task { [server] in await server.end() }
  }

  private static func model(_ server: ScriptedTrips, _ clock: VirtualClock) -> TripModel {
    TripModel(
      tripName: "providers/p/trips/t",
      ticks: RefreshTicks(clock: clock, executor: globalConcurrentExecutor)
    ) { request, _ in await server.fetch(request) }
  }

  /// Answers the next poll, and waits until that is known.
  private func answer(_ change: (inout Trip) -> Void = { _ in }) async {
    await server.next().answer(change)
    await waitUntil { model.refreshed == clock.now }
  }

  /// Has the next poll fail, and waits until that is known.
  private func fail(_ code: StatusCode, _ message: String = "scripted") async {
    let before = model.failure
    await server.next().fail(code, message)
    await waitUntil { model.failure != before }
  }

  /// Lets time pass until the next poll, or whatever else is due.
  private func pass() async {
    clock.advance(by: await clock.nextWake())
  }

  @Test func aSubscriberIsToldWhatChangedAndNothingElse() async {
    let recorder = Recorder()
    model.register(recorder)
    #expect(model.state == .active)
    await answer {
      $0.etaToFirstWaypoint = Timestamp(seconds: 90)
      $0.remainingDistanceMeters = 0
    }
    await recorder.wait(for: 5)
    #expect(
      recorder.calls == [
        "active",
        "trip [tripName, tripStatus, remainingDistanceOfActiveRoute, etaToNextWaypoint]",
        "enrouteToPickup", "ETA 90", "distance 0",
      ])
    await pass()
    await answer { $0.etaToFirstWaypoint = Timestamp(seconds: 90) }
    await recorder.wait(for: 7)
    #expect(
      recorder.calls[5...] == ["trip [remainingDistanceOfActiveRoute]", "distance -1"])
    #expect(model.currentTrip?.etaToFirstWaypoint?.seconds == 90)
  }

  @Test func anAnswerThatChangesNothingWakesNobody() async {
    let listener = Listener()
    let turns = Locked((begun: 0, ended: 0))
    let executor = CallbackExecutor { body in
      turns.withLock { $0.begun += 1 }
      body()
      turns.withLock { $0.ended += 1 }
    }
    model.register(listener, on: executor)
    await answer()
    await waitUntil { listener.told.withLock { $0 } == [.enrouteToPickup] }
    // A turn that has not ended would take the next news without another turn.
    await waitUntil { turns.withLock { $0.begun == $0.ended } }
    let before = turns.withLock { $0.begun }
    await pass()
    await answer()
    #expect(turns.withLock { $0.begun } == before)
    await pass()
    await answer { $0.tripStatus = .arrivedAtPickup }
    await waitUntil { turns.withLock { $0.ended } == before + 1 }
    #expect(listener.told.withLock { $0 } == [.enrouteToPickup, .arrivedAtPickup])
  }

  @Test func anErrorIsToldOnceAndStillHolds() async {
    let recorder = Recorder()
    model.register(recorder)
    // Waits for each report: a subscriber that is slow gets only the newest.
    for (index, code) in [StatusCode.unavailable, .permissionDenied].enumerated() {
      await fail(code)
      await recorder.wait(for: index + 2)
      await pass()
      await fail(code)
      await pass()
    }
    #expect(recorder.calls == ["active", "error UNAVAILABLE", "error PERMISSION_DENIED"])
    #expect(model.failure?.error.code == .permissionDenied)
    #expect(model.failure?.count == 2)
    await answer()
    await recorder.wait(for: 5)
    #expect(model.failure == nil)
    await pass()
    await fail(.permissionDenied)
    await recorder.wait(for: 6)
    #expect(recorder.calls.last == "error PERMISSION_DENIED")
  }

  @Test func anErrorThatSaysHowLongItTookIsReportedOnce() async throws {
    let recorder = Recorder()
    model.register(recorder)
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    for duration in ["0 ms", "3 ms", "1.2s"] {
      await fail(.unavailable, "cannot connect after \(duration): refused")
      await pass()
    }
    #expect(model.failure?.count == 3)
    #expect(model.failure?.error.message == "cannot connect after 1.2s: refused")
    #expect(await updates.next()?.failureChanged == true)
    await fail(.unavailable, "cannot connect after 2 ms: no route")
    let update = try #require(await updates.next())
    #expect(update.failureChanged)
    #expect(update.failure?.error.message == "cannot connect after 2 ms: no route")
    await recorder.wait(for: 3)
    #expect(recorder.calls == ["active", "error UNAVAILABLE", "error UNAVAILABLE"])
  }

  @Test(arguments: [TripStatus.complete, .canceled])
  func theEndIsToldLast(status: TripStatus) async {
    let recorder = Recorder()
    model.register(recorder)
    await recorder.wait(for: 1)
    await answer { $0.tripStatus = status }
    await recorder.wait(for: 4)
    #expect(
      recorder.calls == ["active", "trip [tripName, tripStatus]", "\(status)", "inactive"])
    #expect(model.state == .inactive)
    await waitUntil { clock.sleeperCount == 0 }
  }

  @Test func whenTheLastSubscriberIsGoneItAsksNoMore() async {
    let (one, other) = (Recorder(), Recorder())
    model.register(one)
    model.register(other)
    await answer()
    _ = await clock.nextWake()
    model.unregister(one)
    #expect(model.state == .active)
    model.unregister(other)
    #expect(model.state == .inactive)
    clock.advance(by: .seconds(100))
    #expect(await server.asked == 1)
  }

  @Test func itIsSaidOnceThatNobodyFollows() async {
    let idle = Locked(0)
    let whenIdle = { @Sendable in idle.withLock { $0 += 1 } }
    let model = TripModel(
      tripName: "providers/p/trips/t",
      ticks: RefreshTicks(clock: clock, executor: globalConcurrentExecutor),
      whenIdle: whenIdle
    ) { [server] request, _ in await server.fetch(request) }
    let recorder = Recorder()
    model.register(recorder)
    model.options.refreshInterval = .seconds(1)
    #expect(idle.withLock { $0 } == 0)
    model.unregister(recorder)
    model.unregister(recorder)
    #expect(idle.withLock { $0 } == 1)
  }

  @Test func aPollInFlightIsGivenUpWithTheLastSubscriber() async {
    let recorder = Recorder()
    model.register(recorder)
    await waitUntil { await server.asked > 0 }
    model.unregister(recorder)
    await server.waitForCancelled(1)
    #expect(!recorder.calls.contains { $0 != "active" })
  }

  @Test func aSubscriberThatIsGoneIsNotMissed() async {
    var recorder: Recorder? = Recorder()
    if let recorder { model.register(recorder) }
    let poll = await server.next()
    weak let gone = recorder
    recorder = nil
    #expect(gone == nil)
    poll.answer()
    await waitUntil { model.state != .active }
    await waitUntil { clock.sleeperCount == 0 }
  }

  /// Also of a trip of which there is nothing to tell.
  @Test func aSubscriberThatGoesLaterIsNotMissedForLong() async {
    var recorder: Recorder? = Recorder()
    if let recorder { model.register(recorder) }
    await answer()
    await recorder?.wait(for: 3)
    weak let gone = recorder
    recorder = nil
    await waitUntil { gone == nil }
    for _ in 0..<11 {
      await pass()
      await answer()
    }
    #expect(model.state == .active)
    await pass()
    await server.next().answer()
    await waitUntil { model.state != .active }
  }

  @Test func aSubscriberMayUnregisterInItsDeinit() async {
    final class Leaver: TripModelSubscriber {
      let model: TripModel
      init(_ model: TripModel) { self.model = model }
      deinit { model.unregister(self) }
    }
    var leaver: Leaver? = Leaver(model)
    if let leaver { model.register(leaver) }
    #expect(model.state == .active)
    leaver = nil
    #expect(model.state == .inactive)
  }

  @Test func aSubscriberMayUnregisterWhileItIsTold() async {
    let recorder = Recorder()
    model.register(recorder)
    recorder.whenTold = { [model, unowned recorder] in model.unregister(recorder) }
    await waitUntil { model.state != .active }
    #expect(recorder.calls == ["active"])
  }

  @Test func aSlowSubscriberIsToldTheNewestOnly() async {
    let listener = Listener()
    let held = Locked<[@Sendable () -> Void]?>([])
    model.register(listener, on: CallbackExecutor { body in held.withLock { $0?.append(body) } })
    for status in [TripStatus.new, .enrouteToPickup, .arrivedAtPickup] {
      await answer { $0.tripStatus = status }
      await pass()
    }
    _ = await server.next()
    await waitUntil { held.withLock { $0?.isEmpty == false } }
    // They hold what holds them. An executor that drops later bodies lets the model end.
    let bodies = held.withLock { $0.take() } ?? []
    #expect(bodies.count == 1)
    bodies.first?()
    #expect(listener.told.withLock { $0 } == [.arrivedAtPickup])
  }

  private actor Board {}

  @Test func aSubscriberIsToldWhereItWants() async {
    let board = Board()
    let listener = Listener { board.assertIsolated() }
    model.register(listener, on: .actor(board))
    await answer()
    await waitUntil { !listener.told.withLock { $0.isEmpty } }
    #expect(listener.told.withLock { $0 } == [.enrouteToPickup])
  }

  @Test func aSubscriberWhoseActorIsGoneIsNotMissed() async {
    let listener = Listener()
    var board: Board? = Board()
    if let board { model.register(listener, on: .actor(board)) }
    await answer()
    await waitUntil { !listener.told.withLock { $0.isEmpty } }
    board = nil
    await pass()
    await server.next().answer { $0.tripStatus = .new }
    await waitUntil { model.state == .inactive }
    #expect(listener.told.withLock { $0 } == [.enrouteToPickup])
  }

  @Test func aModelThatIsSuspendedStaysWithItsSubscribers() async {
    let recorder = Recorder()
    var model: TripModel? = Self.model(server, clock)
    weak let watched = model
    model?.register(recorder)
    model?.suspend()
    model = nil
    #expect(watched?.state == .active)
    watched?.resume()
    await server.next().answer { $0.tripStatus = .complete }
    await waitUntil { recorder.calls.last == "inactive" }
    await waitUntil { watched == nil }
  }

  @Test func updatesComeAsASequenceThatEndsWithTheTrip() async {
    async let statuses = model.updates.reduce(into: [TripStatus?]()) {
      $0.append($1.trip?.tripStatus)
    }
    await answer()
    await pass()
    await answer { $0.tripStatus = .complete }
    // What is there only in between may be missed.
    #expect(await statuses.last == .complete)
    #expect(model.state == .inactive)
  }

  @Test func aSequenceTellsOnlyNews() async throws {
    var updates = model.updates.makeAsyncIterator()
    #expect(await updates.next()?.trip == nil)
    await answer()
    #expect(await updates.next()?.changed == [.tripName, .tripStatus])
    await pass()
    await answer()
    await pass()
    await fail(.unavailable)
    let failed = try #require(await updates.next())
    #expect(failed.changed == [] && failed.failureChanged)
    #expect(failed.failure?.error.code == .unavailable)
    await pass()
    await answer()
    let recovered = try #require(await updates.next())
    #expect(recovered.failureChanged && recovered.failure == nil)
  }

  @Test func aSequenceThatIsCancelledEnds() async {
    let reader = Task { [model] in
      for await _ in model.updates {}
    }
    _ = await server.next()
    reader.cancel()
    await reader.value
    #expect(model.state == .inactive)
  }

  @Test func aSequenceThatIsDroppedFollowsNoMore() async {
    do {
      var updates = model.updates.makeAsyncIterator()
      _ = await updates.next()
      #expect(model.state == .active)
    }
    #expect(model.state == .inactive)
  }

  @Test func aTripThatGetsStaleIsToldWithItsAge() async throws {
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await answer()
    _ = await updates.next()
    await pass()
    let poll = await server.next()
    await pass()
    let update = try #require(await updates.next())
    #expect(update.isStale && update.stalenessChanged)
    let age = try clock.now - #require(update.refreshed)
    #expect(age >= .seconds(15) && age < .seconds(16))
    poll.answer()
    #expect(await updates.next()?.isStale == false)
  }

  @Test func aTripThatIsSuspendedGetsStaleAndTellsSo() async throws {
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await answer()
    _ = await updates.next()
    model.suspend()
    await pass()
    #expect(await updates.next()?.isStale == true)
    #expect(model.isStale)
    #expect(await server.asked == 1)
    model.resume()
    await server.next().answer()
    #expect(await updates.next()?.isStale == false)
  }

  @Test func howOldATripIsIsKnownAlsoWhenNobodyFollowsIt() async {
    let recorder = Recorder()
    model.register(recorder)
    await answer()
    model.unregister(recorder)
    clock.advance(by: .seconds(14))
    #expect(!model.isStale)
    clock.advance(by: .seconds(1))
    #expect(model.isStale)
    model.options.refreshInterval = .seconds(6)
    #expect(!model.isStale)
  }

  @Test func noOptionIsLostThatSeveralThreadsSet() async {
    await withTaskGroup { [model] group in
      for _ in 0..<8 {
        group.addTask { @concurrent in
          for _ in 0..<500 { model.updateOptions { $0.refreshInterval += .milliseconds(1) } }
        }
      }
    }
    #expect(model.options.refreshInterval == .seconds(9))
  }

  /// A class without locks, and the actor that it belongs to.
  private actor Hall {
    final class Board: TripModelSubscriber {
      var told: [TripStatus] = []
      let hall: Hall
      init(_ hall: Hall) { self.hall = hall }

      func tripModel(_ model: TripModel, didUpdate status: TripStatus) {
        hall.assertIsolated()
        told.append(status)
      }
    }

    private var board: Board?
    var told: [TripStatus] { board?.told ?? [] }

    func follow(_ model: TripModel) {
      let board = Board(self)
      model.register(board, on: self)
      self.board = board
    }

    func clear() { board = nil }
  }

  @Test func aSubscriberThatIsNotSendableIsToldOnItsActor() async {
    let hall = Hall()
    await hall.follow(model)
    await answer()
    await waitUntil { await hall.told == [.enrouteToPickup] }
    await hall.clear()
    await pass()
    await server.next().answer { $0.tripStatus = .new }
    await waitUntil { model.state == .inactive }
  }

  @Test func updatesAndFailuresCanBeMadeUp() {
    var trip = Trip()
    trip.tripStatus = .new
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

  @Test func itLivesAsLongAsItIsFollowedAndNoLonger() async {
    let recorder = Recorder()
    var model: TripModel? = Self.model(server, clock)
    weak let watched = model
    model?.register(recorder)
    model = nil
    await server.next().answer()
    await waitUntil { watched?.refreshed != nil }
    await pass()
    let poll = await server.next()
    #expect(watched != nil)
    poll.answer { $0.tripStatus = .complete }
    await waitUntil { recorder.calls.last == "inactive" }
    await waitUntil { watched == nil }
  }
}
