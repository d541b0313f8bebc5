import Testing
import WireGRPC

@testable import CommandResources
@testable import CommandShell
@testable import FleetCommands
@testable import Tripwire

@Suite struct FleetResourceTests {
  private let clock = TestConsole.clock
  private let plain = Palette(.never, isTerminal: true) { _ in "xterm" }

  private var location: DeliveryVehicleLocation {
    DeliveryVehicleLocation(updateTime: Timestamp(seconds: clock.now - 3))
  }

  private func segment(_ seconds: Int64, meters: Int32) -> VehicleJourneySegment {
    let segment = VehicleJourneySegment(
      stop: VehicleStop(tasks: [VehicleStop.TaskInfo(taskDuration: WireDuration(seconds: 60))]),
      drivingDistanceMeters: meters,
      drivingDuration: WireDuration(seconds: seconds))
    return segment
  }

  private var vehicle: Vehicle {
    let vehicle = Vehicle(
      name: "providers/p/vehicles/v1", vehicleState: .online,
      lastLocation: VehicleLocation(location), remainingDistanceMeters: 842,
      etaToFirstWaypoint: Timestamp(seconds: clock.now + 180),
      waypoints: [TripWaypoint(waypointType: .pickup)])
    return vehicle
  }

  private var deliveryVehicle: DeliveryVehicle {
    DeliveryVehicle(
      name: "providers/p/deliveryVehicles/v1", lastLocation: location,
      navigationStatus: .enrouteToDestination, remainingDistanceMeters: 700,
      remainingVehicleJourneySegments: [
        segment(120, meters: 700), segment(300, meters: 900),
      ])
  }

  private func task(_ state: DeliveryTask.State) -> DeliveryTask {
    var task = DeliveryTask(name: "providers/p/tasks/t1", state: state)
    if state == .closed { task.taskOutcome = .succeeded }
    let sharing = DeliveryTask.JourneySharingInfo(
      remainingVehicleJourneySegments: deliveryVehicle.remainingVehicleJourneySegments,
      lastLocation: location)
    task.journeySharingInfo = sharing
    return task
  }

  private func shipment(_ state: DeliveryTask.State) -> TaskTrackingInfo {
    TaskTrackingInfo(
      name: "providers/p/taskTrackingInfo/s1", vehicleLocation: location, remainingStopCount: 2,
      remainingDrivingDistanceMeters: 1_600,
      estimatedArrivalTime: Timestamp(seconds: clock.now + 480), state: state)
  }

  private func displayed(_ name: String, _ resource: FleetResource?) throws -> DisplayedTarget {
    DisplayedTarget(
      name: name, kind: try ResourceName(name).kind, resource: resource, age: .seconds(2))
  }

  @Test func everyKindHasALine() throws {
    let resources: [(String, FleetResource)] = [
      ("providers/p/vehicles/v1", .vehicle(vehicle)),
      ("providers/p/deliveryVehicles/v1", .deliveryVehicle(deliveryVehicle)),
      ("providers/p/tasks/t1", .task(task(.closed))),
      ("providers/p/taskTrackingInfo/s1", .taskTrackingInfo(shipment(.open))),
    ]
    let view = FollowView(resources.map(\.0), plain)
    let targets = try resources.map { try displayed($0.0, $0.1) }
    #expect(
      view.table(targets, clock, columns: 200).flatMap { $0 } == [
        "vehicles/v1          online                  ETA 09:33:00 (in 3 min)  842 m   to pickup     seen 3 s ago",
        "deliveryVehicles/v1  enroute to destination  ETA 09:32:00 (in 2 min)  700 m   2 stops left  seen 3 s ago",
        "t1                   closed, succeeded       ETA —                    —       —             seen 3 s ago",
        "s1                   open                    ETA 09:38:00 (in 8 min)  1.6 km  2 stops left  seen 3 s ago",
      ])
  }

  @Test func detailHasTheFieldsOfGet() throws {
    let name = "providers/p/tasks/t1"
    let view = FollowView([name], plain)
    let lines = view.detail(try displayed(name, .task(task(.open))), clock)
    let text = FleetResource.task(task(.open)).text(clock).split(separator: "\n")
    #expect(lines.prefix(text.count - 1).map { Substring($0) } == text.dropLast())
    #expect(lines.suffix(2) == ["refreshed      2 s ago", "error          —"])
    let unknown = view.detail(try displayed(name, nil), clock)
    #expect(unknown.first == "task       providers/p/tasks/t1" && unknown.count == 3)
  }

  @Test func tasksEndWhenTheyAreClosed() {
    let goal = FollowGoal(status: nil)
    #expect(goal.outcome(of: .task(task(.open))) == nil)
    #expect(goal.outcome(of: .task(task(.closed))) == .success)
    #expect(goal.outcome(of: .taskTrackingInfo(shipment(.open))) == nil)
    #expect(goal.outcome(of: .taskTrackingInfo(shipment(.closed))) == .success)
    #expect(goal.outcome(of: .vehicle(vehicle)) == nil)
    #expect(goal.outcome(of: .deliveryVehicle(deliveryVehicle)) == nil)
  }

  @Test func lineHasTheResourceAndItsChanges() {
    var lines = FollowLines(redactor: CredentialRedactor(), fields: [:])
    let open = DeliveryTask(name: "providers/p/tasks/t1", state: .open)
    let first = TaskUpdate(resource: open)
    let start = #"{"time":"2026-11-21T09:30:00.000Z","name":"providers/p/tasks/t1","changed":["#
    func text(_ update: TaskUpdate) -> String {
      lines.lines(
        open.name, .task, FollowUpdate(update), nil, at: clock
      ).text
    }
    #expect(
      text(first) == start
        + #""name","state"],"task":{"name":"providers/p/tasks/t1","state":"OPEN"}}"# + "\n")
    var closed = open
    closed.state = .closed
    closed.taskOutcome = .failed
    #expect(
      text(TaskUpdate(resource: closed, since: first)).hasPrefix(
        start + #""state","taskOutcome"],"task":{"#))
  }
}
