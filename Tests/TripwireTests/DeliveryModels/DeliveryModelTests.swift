import FleetEngineDeliveryAPI
import Testing
import WireGRPC
import WireGRPCClient
import WireProtobuf

@testable import Tripwire

@Suite(.timeLimit(.minutes(20))) struct DeliveryModelTests {
  private let clock = VirtualClock()

  /// Follows a resource whose server sends one state after another, and returns the changed fields of each
  /// update with a new state. A final state ends the loop.
  private func changes<Resource: FollowedResource>(
    _ name: String, _ states: [Resource]
  ) async -> [[String]] where Resource.Changes == FieldMask {
    let server = ScriptedServer<Resource> { _ in
      .failure(CallError(code: .unavailable, message: "over", origin: .server))
    }
    let model = ResourceModel<Resource>(
      PolledResource(
        name: name, poller: ResourcePoller(clock: clock),
        .server(ResourceFetch { request, _ in await server.fetch(request) })))
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    var changes: [[String]] = []
    for (index, state) in states.enumerated() {
      if index > 0 { await clock.advance(by: await clock.nextWake()) }
      await server.next().respond(with: state)
      if let update = await updates.next() { changes.append(update.changed.paths) }
    }
    if states.last?.isFinal == true {
      #expect(model.state == .inactive)
      #expect(await updates.next() == nil)
    }
    return changes
  }

  @Test func deliveryVehicleIsFollowed() async {
    let name = "providers/p/deliveryVehicles/v"
    var vehicle = DeliveryVehicle(name: name)
    var states = [vehicle]
    vehicle.remainingDistanceMeters = 5
    vehicle.remainingDuration = WireDuration(seconds: 9)
    states.append(vehicle)
    #expect(await changes(name, states) == [["name"], ["remaining_distance_meters"]])
  }

  @Test func followingATaskEndsWhenItIsClosed() async {
    let name = "providers/p/tasks/t"
    var task = DeliveryTask(name: name)
    task.state = .open
    var states = [task]
    task.state = .closed
    task.taskOutcome = .succeeded
    states.append(task)
    #expect(await changes(name, states) == [["name", "state"], ["state", "task_outcome"]])
  }

  @Test func ageOfALocationIsNoChangeOfATask() {
    let before = DeliveryTask.with {
      $0.journeySharingInfo.orDefault.lastLocation.orDefault.timeSinceUpdate = 3
    }
    var after = before
    after.journeySharingInfo.orDefault.lastLocation.orDefault.timeSinceUpdate = 8
    #expect(DeliveryTask.changes(from: before, to: after).paths == [])
    after.journeySharingInfo.orDefault.lastLocation.orDefault.heading = 90
    #expect(DeliveryTask.changes(from: before, to: after).paths == ["journey_sharing_info"])
  }

  @Test func followingAShipmentEndsWhenItsTaskIsClosed() async {
    let name = "providers/p/taskTrackingInfo/s"
    var info = TaskTrackingInfo(name: name)
    info.state = .open
    info.remainingStopCount = 2
    var states = [info]
    info.state = .closed
    info.remainingStopCount = nil
    states.append(info)
    #expect(
      await changes(name, states)
        == [["name", "remaining_stop_count", "state"], ["remaining_stop_count", "state"]])
  }

  @Test func malformedNamesFailLocally() async throws {
    let deliveries = try FleetServices(
      providerID: "p", endpoint: "127.0.0.1:1",
      configuration: ChannelConfiguration(security: .plaintext)
    ).deliveryService
    #expect(
      await failure(of: deliveries.deliveryVehicleModel(forDeliveryVehicleName: "v"))
        == "/maps.fleetengine.delivery.v1.DeliveryService/GetDeliveryVehicle")
    #expect(
      await failure(of: deliveries.taskModel(forTaskName: "providers/p/trips/t"))
        == "/maps.fleetengine.delivery.v1.DeliveryService/GetTask")
    #expect(
      await failure(of: deliveries.taskTrackingModel(forTaskTrackingInfoName: ""))
        == "/maps.fleetengine.delivery.v1.DeliveryService/GetTaskTrackingInfo")
  }

  /// Returns the path of the first failure with INVALID_ARGUMENT.
  private func failure<Resource>(of model: ResourceModel<Resource>) async -> String? {
    for await update in model.updates where update.failure?.error.code == .invalidArgument {
      return update.failure?.error.path
    }
    return nil
  }
}
