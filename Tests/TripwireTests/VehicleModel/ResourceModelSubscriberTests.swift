import Dispatch
import FleetEngineAPI
import Testing
import WireGRPC
import WireGRPCClient
import WireSystem

@testable import Tripwire

@MainActor @Suite(.timeLimit(.minutes(20))) final class ResourceModelSubscriberTests {
  private let server = ScriptedServer<Vehicle> { _ in
    .failure(CallError(code: .unavailable, message: "over", origin: .server))
  }
  private let clock = VirtualClock()
  private let queue = DispatchQueue(label: "subscribers")
  private let model: VehicleModel

  init() {
    model = VehicleModel(
      PolledResource(
        name: "providers/p/vehicles/v", poller: ResourcePoller(clock: clock),
        .server(ResourceFetch { [server] request, _ in await server.fetch(request) })))
  }

  deinit {
    Task { [clock, server] in
      await server.end()
      await clock.end()
    }
  }

  @MainActor private final class Board: @MainActor ResourceModelSubscriber {
    var states: [VehicleState?] = []
    func resourceModel(_: VehicleModel, didUpdate update: VehicleUpdate) {
      states.append(update.vehicle?.vehicleState)
    }
  }

  private nonisolated final class Recorder: ResourceModelSubscriber, Sendable {
    let state = Locked<VehicleState?>(nil)
    func resourceModel(_: VehicleModel, didUpdate update: VehicleUpdate) {
      state.withLock { $0 = update.vehicle?.vehicleState }
    }
  }

  private actor Owner {
    private let board = UnsafeBoard()
    func follow(_ model: VehicleModel) { model.register(board, on: self) }
    var state: VehicleState? { board.state }
  }

  /// Not Sendable: used only on its actor.
  private nonisolated final class UnsafeBoard: ResourceModelSubscriber {
    var state: VehicleState?
    func resourceModel(_: VehicleModel, didUpdate update: VehicleUpdate) {
      state = update.vehicle?.vehicleState
    }
  }

  private func respond() async {
    var vehicle = Vehicle(name: model.name)
    vehicle.vehicleState = .online
    await server.next().respond(with: vehicle)
  }

  @Test func subscriberReceivesUpdatesUntilItIsUnregistered() async {
    let board = Board()
    model.register(board)
    #expect(model.state == .active)
    await waitUntil { board.states.count == 1 }
    await respond()
    await waitUntil { board.states.count == 2 }
    #expect(board.states == [nil, .online])
    model.unregister(board)
    #expect(model.state == .inactive)
  }

  @Test func subscribersAreCalledWhereTheyWant() async {
    let recorder = Recorder()
    let owner = Owner()
    model.register(recorder, on: .queue(queue))
    await owner.follow(model)
    await respond()
    await waitUntil { recorder.state.withLock { $0 } == .online }
    await waitUntil { await owner.state == .online }
  }

  @Test func releasedSubscriberEndsPolling() async {
    var recorder: Recorder? = Recorder()
    if let recorder { model.register(recorder, on: .queue(queue)) }
    let poll = await server.next()
    recorder = nil
    var vehicle = Vehicle(name: model.name)
    vehicle.vehicleState = .online
    poll.respond(with: vehicle)
    await waitUntil { model.state != .active }
  }
}
