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
      name: "providers/p/vehicles/v", poller: ResourcePoller(clock: clock),
      fetch: ResourceFetch { [server] request, _ in await server.fetch(request) })
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

  private nonisolated final class Counter: ResourceModelSubscriber, Sendable {
    let count = Locked(0)
    func resourceModel(_: VehicleModel, didUpdate _: VehicleUpdate) { count.withLock { $0 += 1 } }
  }

  private actor Owner {
    private let board = UnsafeBoard()
    func follow(_ model: VehicleModel) { model.register(board, on: self) }
    var count: Int { board.count }
  }

  /// Not Sendable: used only on its actor.
  private nonisolated final class UnsafeBoard: ResourceModelSubscriber {
    var count = 0
    func resourceModel(_: VehicleModel, didUpdate _: VehicleUpdate) { count += 1 }
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
    await respond()
    await waitUntil { board.states.count == 2 }
    #expect(board.states == [nil, .online])
    model.unregister(board)
    #expect(model.state == .inactive)
  }

  @Test func subscribersAreCalledWhereTheyWant() async {
    let counter = Counter()
    let owner = Owner()
    model.register(counter, on: .queue(queue))
    await owner.follow(model)
    await respond()
    await waitUntil { counter.count.withLock { $0 } == 2 }
    await waitUntil { await owner.count == 2 }
  }

  @Test func releasedSubscriberEndsPolling() async {
    var counter: Counter? = Counter()
    if let counter { model.register(counter, on: .queue(queue)) }
    let poll = await server.next()
    counter = nil
    var vehicle = Vehicle(name: model.name)
    vehicle.vehicleState = .online
    poll.respond(with: vehicle)
    await waitUntil { model.state != .active }
  }
}
