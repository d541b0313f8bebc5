import FleetEngineAPI
import Testing
import WireSystem

@testable import Tripwire

@MainActor @Suite(.timeLimit(.minutes(20))) final class SubscriberLifetimeTests: TripModelFixture {
  @Test func releasedSubscriberEndsPolling() async {
    var recorder: Recorder? = Recorder()
    if let recorder { model.register(recorder) }
    let poll = await server.next()
    weak let gone = recorder
    recorder = nil
    #expect(gone == nil)
    poll.answer()
    await waitUntil { model.state != .active }
    await waitUntil { await clock.timerCount == 0 }
  }

  /// Also for a trip without changes.
  @Test func releasedSubscriberIsDetectedWithoutChanges() async {
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

  @Test func subscriberUnregistersInDeinit() async {
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

  @Test func subscriberUnregistersInCallback() async {
    let recorder = Recorder()
    model.register(recorder)
    recorder.whenCalled = { [model, unowned recorder] in model.unregister(recorder) }
    await waitUntil { model.state != .active }
    #expect(recorder.calls == ["active"])
  }

  private actor Board {}

  @Test func subscriberOfReleasedActorEndsPolling() async {
    let listener = StatusListener()
    var board: Board? = Board()
    if let board { model.register(listener, on: .actor(board)) }
    await answer()
    await waitUntil { !listener.statuses.withLock { $0.isEmpty } }
    board = nil
    await pass()
    await server.next().answer { $0.tripStatus = .new }
    await waitUntil { model.state == .inactive }
    #expect(listener.statuses.withLock { $0 } == [.enrouteToPickup])
  }
}
