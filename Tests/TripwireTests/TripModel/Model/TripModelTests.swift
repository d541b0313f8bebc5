import Testing
import WireSystem

@testable import Tripwire

@MainActor @Suite(.timeLimit(.minutes(20))) final class TripModelTests: TripModelFixture {
  @Test func pollingStopsWithoutSubscribers() async {
    let (one, other) = (Recorder(), Recorder())
    model.register(one)
    model.register(other)
    await respond()
    _ = await clock.nextWake()
    model.unregister(one)
    #expect(model.state == .active)
    model.unregister(other)
    #expect(model.state == .inactive)
    await clock.advance(by: .seconds(100))
    #expect(await server.requestCount == 1)
  }

  @Test func idleIsReportedOnce() async {
    let idle = Locked(0)
    let whenIdle = { @Sendable in idle.withLock { $0 += 1 } }
    let model = TripModel(
      PolledResource(
        name: "providers/p/trips/t", poller: ResourcePoller(clock: clock), whenIdle: whenIdle,
        .server(ResourceFetch { [server] request, _ in await server.fetch(request) })))
    let recorder = Recorder()
    model.register(recorder)
    model.options.refreshInterval = .seconds(1)
    #expect(idle.withLock { $0 } == 0)
    model.unregister(recorder)
    model.unregister(recorder)
    #expect(idle.withLock { $0 } == 1)
  }

  @Test func pollInFlightIsCanceledWithoutSubscribers() async {
    let recorder = Recorder()
    model.register(recorder)
    await waitUntil { await server.requestCount > 0 }
    model.unregister(recorder)
    await server.waitForCanceled(1)
    #expect(!recorder.calls.contains { $0 != "active" })
  }

  @Test func suspendedModelLivesWhileItHasSubscribers() async {
    let recorder = Recorder()
    var model: TripModel? = newModel()
    weak let watched = model
    model?.register(recorder)
    // Otherwise the next request would be the first one, if it began before the suspension.
    await waitUntil { await server.requestCount > 0 }
    model?.suspend()
    await server.waitForCanceled(1)
    model = nil
    #expect(watched?.state == .active)
    watched?.resume()
    await server.next().respond { $0.tripStatus = .complete }
    await waitUntil { recorder.calls.last == "inactive" }
    await waitUntil { watched == nil }
  }

  @Test func modelLivesWhileItIsFollowed() async {
    let recorder = Recorder()
    var model: TripModel? = newModel()
    weak let watched = model
    model?.register(recorder)
    model = nil
    await server.next().respond()
    await waitUntil { watched?.refreshed != nil }
    await pass()
    let poll = await server.next()
    #expect(watched != nil)
    poll.respond { $0.tripStatus = .complete }
    await waitUntil { recorder.calls.last == "inactive" }
    await waitUntil { watched == nil }
  }

  @Test func concurrentChangesOfOptionsAreAllApplied() async {
    await withTaskGroup { [model] group in
      for _ in 0..<8 {
        group.addTask { @concurrent in
          for _ in 0..<500 { model.updateOptions { $0.refreshInterval += .milliseconds(1) } }
        }
      }
    }
    #expect(model.options.refreshInterval == .seconds(9))
  }
}
