import FleetEngineAPI
import Testing
import WireSystem

@testable import Tripwire

@MainActor @Suite(.timeLimit(.minutes(20))) final class SubscriberLifetimeTests: TripModelFixture {
  @Test func releasedSubscriberEndsPolling() async {
    var recorder: Recorder? = Recorder()
    if let recorder { model.register(recorder) }
    let poll = await server.next()
    weak let weakRecorder = recorder
    recorder = nil
    #expect(weakRecorder == nil)
    poll.respond()
    await waitUntil { model.state != .active }
    await waitUntil { await clock.hasNoTimer }
  }

  /// Also for a trip without changes.
  @Test func releasedSubscriberIsDetectedWithoutChanges() async {
    var recorder: Recorder? = Recorder()
    if let recorder { model.register(recorder) }
    await respond()
    await recorder?.wait(for: 3)
    weak let weakRecorder = recorder
    recorder = nil
    await waitUntil { weakRecorder == nil }
    for _ in 0..<11 {
      await pass()
      await respond()
    }
    #expect(model.state == .active)
    await pass()
    await server.next().respond()
    await waitUntil { model.state != .active }
  }

  @Test func subscriberUnregistersInDeinit() async {
    final class UnregisteringSubscriber: TripModelSubscriber {
      let model: TripModel
      init(_ model: TripModel) { self.model = model }
      deinit { model.unregister(self) }
    }
    var subscriber: UnregisteringSubscriber? = UnregisteringSubscriber(model)
    if let subscriber { model.register(subscriber) }
    #expect(model.state == .active)
    subscriber = nil
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
    await respond()
    await waitUntil { !listener.statuses.withLock { $0.isEmpty } }
    board = nil
    await pass()
    await server.next().respond { $0.tripStatus = .new }
    await waitUntil { model.state == .inactive }
    #expect(listener.statuses.withLock { $0 } == [.enrouteToPickup])
  }
}
