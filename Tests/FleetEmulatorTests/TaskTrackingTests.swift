import FleetEngineAPI
import FleetEngineDeliveryAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

@Suite struct TaskTrackingTests {
  private var fleet = TestFleet()

  init() throws {
    for number in 1...7 {
      try fleet.createTask("t\(number)") {
        $0.attributes = [TaskAttribute(key: "n", taskAttributeValue: .stringValue("\(number)"))]
      }
    }
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    try plan(1...7)
  }

  private mutating func plan(
    _ stops: ClosedRange<Int>, first state: VehicleStop.State = .enroute
  ) throws {
    try fleet.plan(
      "v1",
      stops.map { number in
        .stop(Double(number), "t\(number)", state: number == stops.lowerBound ? state : .new)
      })
  }

  private typealias Config = DeliveryTaskTrackingViewConfig

  private mutating func setConfig(_ task: String, _ change: (inout Config) -> Void) throws {
    var config = Config()
    change(&config)
    try fleet.updateTask(task, "task_tracking_view_config") { $0.taskTrackingViewConfig = config }
  }

  @Test mutating func aShipmentHasTheWayToItsStop() throws {
    let info = try fleet.tracking("t2")
    #expect(info.name == "providers/p/taskTrackingInfo/track-t2")
    #expect(info.trackingId == "track-t2")
    #expect(info.state == .open)
    #expect(info.plannedLocation == .at(1, 1))
    #expect(info.attributes.map(\.key) == ["n"])
    #expect(info.vehicleLocation?.location == .equator(0))
    #expect(info.remainingStopCount == 2)
    #expect(info.remainingDrivingDistanceMeters == 2 * Int32(meters: degree))
    #expect(info.routePolylinePoints == [.equator(0), .equator(1), .equator(2)])
    // Two ways, and the task at the first stop.
    let drive = Duration.seconds(degree.rounded() / 8)
    let arrival = fleet.now + drive + .seconds(30) + drive
    #expect(info.estimatedArrivalTime == arrival)
    #expect(info.estimatedTaskCompletionTime == arrival + .seconds(30))
  }

  @Test mutating func estimatesFollowTheReportsOfTheDriver() throws {
    let route = Array(try S2Polyline.encode([.equator(0.2), .equator(1)]).utf8)
    try fleet.updateDelivery(
      "v1", "last_location,current_route_segment,remaining_distance_meters,remaining_duration"
    ) {
      $0.lastLocation = .init(location: .equator(0.2))
      $0.currentRouteSegment = route
      $0.remainingDistanceMeters = 90_000
      $0.remainingDuration = WireDuration(.seconds(1000))
    }
    let reported = fleet.now
    fleet.advance(100)
    let info = try fleet.tracking("t1")
    #expect(info.estimatedArrivalTime == reported + .seconds(1000))
    #expect(info.remainingDrivingDistanceMeters == 90_000)
    // A vehicle that is late has not arrived.
    fleet.advance(2000)
    #expect(try fleet.tracking("t1").estimatedArrivalTime == fleet.now)
    try plan(1...7, first: .arrived)
    let arrived = fleet.now
    fleet.advance(10)
    let there = try fleet.tracking("t1")
    #expect(there.estimatedArrivalTime == arrived)
    #expect(there.estimatedTaskCompletionTime == arrived + .seconds(30))
    #expect(there.remainingStopCount == 1)
    #expect(there.remainingDrivingDistanceMeters == 0)
    let next = try fleet.tracking("t2")
    #expect(
      next.estimatedArrivalTime == arrived + .seconds(30) + .seconds(degree.rounded() / 8))
  }

  @Test mutating func theWayIsHiddenUntilTheVehicleIsNear() throws {
    let far = try fleet.tracking("t6")
    #expect(far.remainingStopCount == 6)
    #expect(far.estimatedArrivalTime != nil)
    #expect(far.estimatedTaskCompletionTime != nil)
    #expect(far.remainingDrivingDistanceMeters != nil)
    #expect(far.vehicleLocation == nil)
    #expect(far.routePolylinePoints == [])
    try plan(2...7)
    let near = try fleet.tracking("t6")
    #expect(near.remainingStopCount == 5)
    #expect(near.vehicleLocation != nil)
    #expect(near.routePolylinePoints.count == 6)
  }

  @Test mutating func theProviderConfiguresWhatIsVisible() throws {
    try setConfig("t7") {
      $0.routePolylinePointsVisibility = .of(.always(true))
      $0.vehicleLocationVisibility = .of(.remainingStopCountThreshold(7))
      $0.estimatedArrivalTimeVisibility = .of(.never(true))
      $0.estimatedTaskCompletionTimeVisibility = .of(
        .durationUntilEstimatedArrivalTimeThreshold(WireDuration(.seconds(60))))
      $0.remainingDrivingDistanceVisibility = .of(
        .remainingDrivingDistanceMetersThreshold(7 * Int32(meters: degree) - 1))
      $0.remainingStopCountVisibility = .of(.remainingStopCountThreshold(6))
    }
    let info = try fleet.tracking("t7")
    #expect(info.routePolylinePoints.count == 8)
    #expect(info.vehicleLocation != nil)
    #expect(info.estimatedArrivalTime == nil)
    #expect(info.estimatedTaskCompletionTime == nil)
    #expect(info.remainingDrivingDistanceMeters == nil)
    #expect(info.remainingStopCount == nil)
  }

  @Test(arguments: [
    (Config.VisibilityOption.VisibilityOption.remainingStopCountThreshold(1), true),
    (.remainingStopCountThreshold(0), false),
    (.remainingDrivingDistanceMetersThreshold(55_600), true),
    (.remainingDrivingDistanceMetersThreshold(55_500), false),
    (.durationUntilEstimatedArrivalTimeThreshold(WireDuration(.seconds(6950))), true),
    (.durationUntilEstimatedArrivalTimeThreshold(WireDuration(.seconds(6949))), false),
    (.always(true), true), (.never(true), false),
  ])
  mutating func thresholdsAreInclusive(
    _ option: DeliveryTaskTrackingViewConfig.VisibilityOption.VisibilityOption, _ isShown: Bool
  ) throws {
    // 55,597 m, 6949.6 s
    try fleet.move("v1", to: .equator(0.5))
    try setConfig("t1") { $0.vehicleLocationVisibility = .of(option) }
    #expect((try fleet.tracking("t1").vehicleLocation != nil) == isShown)
  }

  @Test mutating func aClosedTaskShowsNoWay() throws {
    try fleet.updateTask("t1", "task_outcome") { $0.taskOutcome = .succeeded }
    try plan(2...7)
    let info = try fleet.tracking("t1")
    #expect(info.state == .closed)
    #expect(info.taskOutcome == .succeeded)
    #expect(info.taskOutcomeTime == fleet.now)
    #expect(info.remainingStopCount == nil)
    #expect(info.vehicleLocation == nil)
    #expect(info.estimatedArrivalTime == nil)
  }

  @Test mutating func anOpenTaskOfAShipmentIsShownFirst() throws {
    func shown() throws -> LocationInfo? { try fleet.tracking("s").plannedLocation }
    for (number, id) in ["a", "b", "c"].enumerated() {
      try fleet.createTask(id) {
        $0.trackingId = "track-s"
        $0.plannedLocation = .at(0, Double(number))
      }
    }
    // None has a vehicle: the first ID.
    #expect(try shown() == .at(0, 0))
    try fleet.createDeliveryVehicle("v2")
    try fleet.plan("v2", [.stop(1, "b")])
    #expect(try shown() == .at(0, 1))
    try fleet.updateTask("b", "task_outcome") { $0.taskOutcome = .succeeded }
    try fleet.plan("v2", [.stop(1, "c")])
    #expect(try shown() == .at(0, 2))
    try fleet.plan("v2", [])
    #expect(try shown() == .at(0, 0))
    // All are closed: the last outcome.
    fleet.advance()
    try fleet.updateTask("a", "state") { $0.state = .closed }
    #expect(try shown() == .at(0, 1))
    try fleet.updateTask("c", "task_outcome") { $0.taskOutcome = .failed }
    #expect(try shown() == .at(0, 2))
  }

  @Test mutating func timesOfRequestsDoNotOverflow() throws {
    try fleet.updateDelivery("v1", "last_location") {
      $0.lastLocation = .init(
        location: .equator(0), updateTime: Timestamp(seconds: -62_135_596_800, nanos: 0))
    }
    #expect(try fleet.tracking("t1").vehicleLocation?.timeSinceUpdate == .max)
    try setConfig("t1") {
      $0.vehicleLocationVisibility = .of(
        .durationUntilEstimatedArrivalTimeThreshold(
          WireDuration(seconds: 315_576_000_000, nanos: 0)))
    }
    #expect(try fleet.tracking("t1").vehicleLocation != nil)
  }
}
