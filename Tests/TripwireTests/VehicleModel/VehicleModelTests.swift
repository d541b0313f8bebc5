import FleetEngineAPI
import Testing
import WireGRPC
import WireGRPCClient
import WireProtobuf
import WireSystem

@testable import Tripwire

@Suite(.timeLimit(.minutes(20))) final class VehicleModelTests {
  private static let name = "providers/p/vehicles/v"
  private let server = ScriptedServer<Vehicle> { _ in
    .failure(CallError(code: .unavailable, message: "over", origin: .server))
  }
  private let clock = VirtualClock()
  private let model: VehicleModel

  init() {
    model = VehicleModel(
      PolledResource(
        name: Self.name, poller: ResourcePoller(clock: clock),
        .server(ResourceFetch { [server] request, _ in await server.fetch(request) })))
  }

  deinit {
    Task { [clock, server] in
      await server.end()
      clock.end()
    }
  }

  /// Responds to the next poll, and waits until the model has the response.
  private func respond(_ change: (inout Vehicle) -> Void = { _ in }) async {
    var vehicle = Vehicle(name: Self.name)
    change(&vehicle)
    await server.next().respond(with: vehicle)
    await waitUntil { model.refreshed == clock.now }
  }

  /// Advances the clock to the next timer.
  private func pass() async {
    await clock.advance(by: await clock.nextWake())
  }

  @Test func updatesHaveTheVehicleAndItsChangedFields() async throws {
    var updates = model.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.vehicle == nil && first.stateChanged && first.state == .active)
    await respond { $0.vehicleState = .online }
    let second = try #require(await updates.next())
    #expect(second.changed.paths == ["name", "vehicle_state"] && !second.stateChanged)
    #expect(second.vehicle == model.current && second.vehicle?.vehicleState == .online)
    await pass()
    await respond {
      $0.vehicleState = .online
      $0.lastLocation = VehicleLocation.with { $0.location = LatLng(latitude: 1, longitude: 2) }
    }
    #expect(await updates.next()?.changed.paths == ["last_location"])
    await pass()
    await respond { $0.vehicleState = .offline }
    #expect(await updates.next()?.changed.paths == ["vehicle_state", "last_location"])
  }

  @Test func passingTimeIsNoChange() async throws {
    let location = VehicleLocation.with { $0.location = LatLng(latitude: 1, longitude: 2) }
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await respond {
      $0.lastLocation = location
      $0.remainingTimeSeconds = 60
    }
    #expect(await updates.next()?.changed.paths == ["name", "last_location"])
    await pass()
    await respond {
      $0.lastLocation = location
      $0.lastLocation?.timeSinceUpdate = 5
      $0.remainingTimeSeconds = 55
    }
    await pass()
    await respond {
      $0.lastLocation = location
      $0.maximumCapacity = 4
    }
    #expect(await updates.next()?.changed.paths == ["maximum_capacity"])
  }

  @Test func unchangedPartsAreNotRequestedAgain() async throws {
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await respond {
      $0.currentRouteSegment = "route"
      $0.currentRouteSegmentVersion = Timestamp(seconds: 5)
      $0.waypoints = [TripWaypoint.with { $0.tripId = "t" }]
      $0.waypointsVersion = Timestamp(seconds: 6)
    }
    _ = await updates.next()
    await pass()
    let poll = await server.next()
    #expect(poll.request.currentRouteSegmentVersion == Timestamp(seconds: 5))
    #expect(poll.request.waypointsVersion == Timestamp(seconds: 6))
    poll.respond(
      with: Vehicle.with {
        $0.name = Self.name
        $0.currentRouteSegmentVersion = Timestamp(seconds: 5)
        $0.waypointsVersion = Timestamp(seconds: 7)
        $0.vehicleState = .online
      })
    let update = try #require(await updates.next())
    #expect(update.changed.paths == ["vehicle_state", "waypoints"])
    #expect(update.vehicle?.currentRouteSegment == "route" && update.vehicle?.waypoints == [])
  }

  private final class Board: ResourceModelSubscriber, Sendable {
    let states = Locked<[VehicleState?]>([])
    func resourceModel(_: VehicleModel, didUpdate update: VehicleUpdate) {
      states.withLock { $0.append(update.vehicle?.vehicleState) }
    }
  }

  @Test func subscriberReceivesUpdatesUntilItIsUnregistered() async {
    let board = Board()
    model.register(board, on: .main)
    #expect(model.state == .active)
    await waitUntil { board.states.withLock { $0 } == [nil] }
    await respond { $0.vehicleState = .online }
    await waitUntil { board.states.withLock { $0 } == [nil, .online] }
    model.unregister(board)
    #expect(model.state == .inactive)
  }

  @Test func optionsApplyToTheNextPoll() async {
    model.updateOptions {
      $0.refreshInterval = .seconds(1)
      $0.header = RequestHeader.with { $0.languageCode = "de" }
    }
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    let poll = await server.next()
    #expect(poll.request.name == Self.name && poll.request.header?.languageCode == "de")
    #expect(model.options.refreshInterval == .seconds(1))
  }

  @Test func updatesCanBeCreated() {
    let vehicle = Vehicle.with { $0.vehicleState = .online }
    let first = VehicleUpdate(resource: vehicle)
    #expect(first.changed.paths == ["vehicle_state"] && first.stateChanged)
    let second = VehicleUpdate(resource: vehicle, isStale: true, since: first)
    #expect(second.changed.paths.isEmpty && second.stalenessChanged && !second.stateChanged)
  }

  @Test func sameNameYieldsTheSameModel() throws {
    let fleet = try FleetServices(
      providerID: "p", endpoint: "127.0.0.1:1",
      configuration: ChannelConfiguration(security: .plaintext))
    let model = fleet.vehicleService.vehicleModel(forVehicleName: Self.name)
    #expect(try fleet.vehicleService.vehicleModel(forVehicleName: VehicleName(Self.name)) === model)
    #expect(model.state == .inactive && model.name == Self.name)
  }

  @Test func malformedNameFailsLocally() async throws {
    let fleet = try FleetServices(
      providerID: "p", endpoint: "127.0.0.1:1",
      configuration: ChannelConfiguration(security: .plaintext))
    let model = fleet.vehicleService.vehicleModel(forVehicleName: "providers/p/trips/t")
    for await update in model.updates {
      guard let error = update.failure?.error else { continue }
      #expect(error.code == .invalidArgument && error.origin == .local)
      #expect(error.path == "/maps.fleetengine.v1.VehicleService/GetVehicle")
      break
    }
  }
}
