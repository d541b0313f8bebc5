import FleetEngineAPI
import WireGRPC
import WireSystem

@testable import Tripwire

/// A trip model with its server and its clock.
@MainActor class TripModelFixture {
  let server = ScriptedServer<Trip>()
  let clock = VirtualClock()
  let model: TripModel
  /// Those of all models.
  private var resources: [PolledResource<Trip>]

  init() {
    model = Self.newModel(server, clock)
    resources = [model.resource]
  }

  deinit {
    Task { [clock, server, resources] in
      await server.end()
      // A model that a test left active refers to the loop, which refers to it.
      for resource in resources { resource.remove { _ in true } }
      clock.end()
    }
  }

  private static func newModel(_ server: ScriptedServer<Trip>, _ clock: VirtualClock) -> TripModel {
    TripModel(
      PolledResource(
        name: "providers/p/trips/t", poller: ResourcePoller(clock: clock),
        .server(ResourceFetch { request, _ in await server.fetch(request) })))
  }

  func newModel() -> TripModel {
    let model = Self.newModel(server, clock)
    resources.append(model.resource)
    return model
  }

  /// Responds to the next poll, and waits until the model has the response.
  func respond(_ change: (inout Trip) -> Void = { _ in }) async {
    await server.next().respond(change)
    await waitUntil { model.refreshed == clock.now }
  }

  /// Fails the next poll, and waits until the model has the failure.
  func fail(_ code: StatusCode, _ message: String = "scripted") async {
    let before = model.failure
    await server.next().fail(code, message)
    await waitUntil { model.failure != before }
  }

  /// Advances the clock to the next timer.
  func pass() async {
    await clock.advance(by: await clock.nextWake())
  }
}

/// Records the calls that it receives on the main thread.
@MainActor final class Recorder: @MainActor TripModelSubscriber {
  private(set) var calls: [String] = []
  private var watcher: (count: Int, CheckedContinuation<Void, Never>)?
  var whenCalled: (() -> Void)?

  private func add(_ call: String) {
    calls.append(call)
    whenCalled?()
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

/// Records the statuses that it receives on any executor.
final class StatusListener: TripModelSubscriber, Sendable {
  let statuses = Locked<[TripStatus]>([])
  private let check: @Sendable () -> Void

  init(check: @escaping @Sendable () -> Void = {}) { self.check = check }

  func tripModel(_ model: TripModel, didUpdate status: TripStatus) {
    check()
    statuses.withLock { $0.append(status) }
  }
}
