import FleetEngineAPI
import Testing
import WireGRPC
import WireSystem

@testable import Tripwire

@MainActor @Suite(.timeLimit(.minutes(20))) final class TripModelCallbackTests: TripModelFixture {
  @Test func subscriberReceivesOnlyChanges() async {
    let recorder = Recorder()
    model.register(recorder)
    #expect(model.state == .active)
    await respond {
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
    await respond { $0.etaToFirstWaypoint = Timestamp(seconds: 90) }
    await recorder.wait(for: 7)
    #expect(
      recorder.calls[5...] == ["trip [remainingDistanceOfActiveRoute]", "distance -1"])
    #expect(model.currentTrip?.etaToFirstWaypoint?.seconds == 90)
  }

  @Test func unchangedResponseNotifiesNoSubscriber() async {
    let listener = StatusListener()
    let turns = Locked((begun: 0, ended: 0))
    let executor = CallbackExecutor { body in
      turns.withLock { $0.begun += 1 }
      body()
      turns.withLock { $0.ended += 1 }
    }
    model.register(listener, on: executor)
    await respond()
    await waitUntil { listener.statuses.withLock { $0 } == [.enrouteToPickup] }
    // A running callback would take the next update itself.
    await waitUntil { turns.withLock { $0.begun == $0.ended } }
    let before = turns.withLock { $0.begun }
    await pass()
    await respond()
    #expect(turns.withLock { $0.begun } == before)
    await pass()
    await respond { $0.tripStatus = .arrivedAtPickup }
    await waitUntil { turns.withLock { $0.ended } == before + 1 }
    #expect(listener.statuses.withLock { $0 } == [.enrouteToPickup, .arrivedAtPickup])
  }

  @Test func errorIsReportedOnceWhileItLasts() async {
    let recorder = Recorder()
    model.register(recorder)
    // Waits for each report, because a slow subscriber receives only the newest state.
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
    await respond()
    await recorder.wait(for: 5)
    #expect(model.failure == nil)
    await pass()
    await fail(.permissionDenied)
    await recorder.wait(for: 6)
    #expect(recorder.calls.last == "error PERMISSION_DENIED")
  }

  @Test func errorsThatDifferInDurationsAreReportedOnce() async throws {
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
  func endIsReportedLast(status: TripStatus) async {
    let recorder = Recorder()
    model.register(recorder)
    await recorder.wait(for: 1)
    await respond { $0.tripStatus = status }
    await recorder.wait(for: 4)
    #expect(
      recorder.calls == ["active", "trip [tripName, tripStatus]", "\(status)", "inactive"])
    #expect(model.state == .inactive)
    await waitUntil { await clock.hasNoTimer }
  }

  @Test func slowSubscriberReceivesOnlyTheNewestState() async {
    let listener = StatusListener()
    let held = Locked<[@Sendable () -> Void]?>([])
    model.register(listener, on: CallbackExecutor { body in held.withLock { $0?.append(body) } })
    for status in [TripStatus.new, .enrouteToPickup, .arrivedAtPickup] {
      await respond { $0.tripStatus = status }
      await pass()
    }
    _ = await server.next()
    await waitUntil { held.withLock { $0?.isEmpty == false } }
    // The bodies retain their owner. An executor that drops later bodies lets the model end.
    let bodies = held.withLock { $0.take() } ?? []
    #expect(bodies.count == 1)
    bodies.first?()
    #expect(listener.statuses.withLock { $0 } == [.arrivedAtPickup])
  }

  private actor Board {}

  @Test func subscriberIsCalledOnItsExecutor() async {
    let board = Board()
    let listener = StatusListener { board.assertIsolated() }
    model.register(listener, on: .actor(board))
    await respond()
    await waitUntil { !listener.statuses.withLock { $0.isEmpty } }
    #expect(listener.statuses.withLock { $0 } == [.enrouteToPickup])
  }

  /// A class without locks, and the actor that owns it.
  private actor Hall {
    final class Board: TripModelSubscriber {
      var statuses: [TripStatus] = []
      let hall: Hall
      init(_ hall: Hall) { self.hall = hall }

      func tripModel(_ model: TripModel, didUpdate status: TripStatus) {
        hall.assertIsolated()
        statuses.append(status)
      }
    }

    private var board: Board?
    var statuses: [TripStatus] { board?.statuses ?? [] }

    func follow(_ model: TripModel) {
      let board = Board(self)
      model.register(board, on: self)
      self.board = board
    }

    func clear() { board = nil }
  }

  @Test func nonSendableSubscriberIsCalledOnItsActor() async {
    let hall = Hall()
    await hall.follow(model)
    await respond()
    await waitUntil { await hall.statuses == [.enrouteToPickup] }
    await hall.clear()
    await pass()
    await server.next().respond { $0.tripStatus = .new }
    await waitUntil { model.state == .inactive }
  }
}
