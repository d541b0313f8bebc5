import FleetEngineAPI
import FleetEngineDeliveryAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

@Suite struct DeliveryVehicleTests {
  private var fleet = TestFleet()

  private typealias Change = @Sendable (inout DeliveryVehicle) -> Void

  // MARK: Creation

  @Test mutating func createKeepsTheDocumentedFields() throws {
    let vehicle = try fleet.createDeliveryVehicle("v1", at: .equator(1)) {
      $0.name = "x"
      $0.attributes = [DeliveryVehicleAttribute(key: "depot", value: "north")]
    }
    #expect(vehicle.name == "providers/p/deliveryVehicles/v1")
    #expect(vehicle.type == .auto)
    #expect(vehicle.lastLocation?.location == .equator(1))
    #expect(vehicle.lastLocation?.serverTime == fleet.now)
    #expect(vehicle.attributes.map(\.stringValue) == ["north"])
    #expect(try fleet.deliveryVehicle("v1") == vehicle)
    let again = try fleet.failure(
      DeliveryServiceMethods.createDeliveryVehicle,
      CreateDeliveryVehicleRequest(
        parent: "providers/p", deliveryVehicleId: "v1", deliveryVehicle: DeliveryVehicle()))
    #expect(again.code == .alreadyExists)
    #expect(again.status.message == "providers/p/deliveryVehicles/v1 already exists")
  }

  private static let invalidFields: [(String, Change)] = [
    ("delivery_vehicle.navigation_status", { $0.navigationStatus = .noGuidance }),
    ("delivery_vehicle.past_locations", { $0.pastLocations = [.init(location: .equator(0))] }),
    (
      "delivery_vehicle.remaining_vehicle_journey_segments",
      { $0.remainingVehicleJourneySegments = [.stop(1)] }
    ),
    ("delivery_vehicle.type", { $0.type = .unrecognized(9) }),
    ("delivery_vehicle.last_location.location", { $0.lastLocation = .init() }),
    (
      "delivery_vehicle.last_location.location",
      { $0.lastLocation = .init(location: .equator(181)) }
    ),
    (
      "delivery_vehicle.last_location.location_sensor",
      { $0.lastLocation = .init(location: .equator(1), locationSensor: .fleetEngineLocation) }
    ),
    ("delivery_vehicle.attributes[0].key", { $0.attributes = [.init()] }),
    (
      "delivery_vehicle.attributes[0]",
      {
        $0.attributes = [
          .init(key: "a", value: "b", deliveryVehicleAttributeValue: .stringValue("c"))
        ]
      }
    ),
  ]

  @Test(arguments: invalidFields)
  mutating func createNamesTheInvalidField(
    _ field: String, _ change: @Sendable (inout DeliveryVehicle) -> Void
  ) throws {
    var vehicle = DeliveryVehicle()
    change(&vehicle)
    let error = try fleet.failure(
      DeliveryServiceMethods.createDeliveryVehicle,
      CreateDeliveryVehicleRequest(
        parent: "providers/p", deliveryVehicleId: "v1", deliveryVehicle: vehicle))
    #expect(error.code == .invalidArgument)
    #expect(error.fields == [field])
  }

  // MARK: Tasks

  @Test mutating func aJourneyAssignsItsTasks() throws {
    try fleet.createTask("t1")
    try fleet.createTask("t2") {
      $0.targetTimeWindow = TimeWindow(startTime: .init(), endTime: .init())
    }
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    let planned = try fleet.plan("v1", [.stop(1, "t1", state: .enroute), .stop(2, "t2")])
    #expect(planned.remainingVehicleJourneySegments.map { $0.stop?.state } == [.enroute, .new])
    let infos = planned.remainingVehicleJourneySegments.map { $0.stop?.tasks.first }
    #expect(
      infos.map { $0?.taskDuration } == [WireDuration(.seconds(30)), WireDuration(.seconds(30))])
    #expect(infos.map { $0?.targetTimeWindow } == [nil, nil])
    let found = try fleet.deliveryVehicle("v1").remainingVehicleJourneySegments
    #expect(found[1].stop?.tasks.first?.targetTimeWindow != nil)
    #expect(found.map(\.drivingDistanceMeters) == [Int32(meters: degree), Int32(meters: degree)])
    #expect(found[1].path == [.equator(1), .equator(2)])
    #expect(found[1].drivingDuration == WireDuration(.seconds(degree.rounded() / 8)))
    #expect(try fleet.task("t1").deliveryVehicleId == "v1")
    let deletion = DeleteDeliveryVehicleRequest(name: "providers/p/deliveryVehicles/v1")
    let error = try fleet.failure(DeliveryServiceMethods.deleteDeliveryVehicle, deletion)
    #expect(error.code == .failedPrecondition)
    #expect(
      error.status.message == "providers/p/deliveryVehicles/v1: has the open tasks t1, t2")
    try fleet.plan("v1", [])
    _ = try fleet.call(DeliveryServiceMethods.deleteDeliveryVehicle, deletion)
    #expect(
      try fleet.failure(DeliveryServiceMethods.deleteDeliveryVehicle, deletion).code == .notFound)
    #expect(try fleet.task("t1").deliveryVehicleId == "v1")
  }

  @Test mutating func theTasksOfARemovedStopAreClosed() throws {
    for id in ["t1", "t2", "t3"] { try fleet.createTask(id) }
    try fleet.createDeliveryVehicle("v1")
    try fleet.plan("v1", [.stop(1, "t1", "t2"), .stop(2, "t3")])
    try fleet.plan("v1", [.stop(2, "t3")])
    #expect(try fleet.task("t1").state == .closed)
    #expect(try fleet.task("t2").state == .closed)
    #expect(try fleet.task("t2").journeySharingInfo == nil)
    #expect(try fleet.task("t2").deliveryVehicleId == "v1")
    #expect(try fleet.task("t3").state == .open)
    #expect(try fleet.task("t3").journeySharingInfo?.remainingVehicleJourneySegments.count == 1)
  }

  @Test mutating func onlyFreeTasksAreAssigned() throws {
    for id in ["t1", "t2"] { try fleet.createTask(id) }
    try fleet.updateTask("t2", "state") { $0.state = .closed }
    for id in ["v1", "v2"] { try fleet.createDeliveryVehicle(id) }
    try fleet.plan("v1", [.stop(1, "t1")])
    let unknown = try fleet.planFailure("v1", [.stop(1, "t1"), .stop(2, "t9")])
    #expect(unknown.code == .notFound)
    #expect(unknown.status.message == "providers/p/tasks/t9 does not exist")
    let closed = try fleet.planFailure("v1", [.stop(1, "t2")])
    #expect(closed.status.message == "providers/p/tasks/t2: is CLOSED")
    let other = try fleet.planFailure("v2", [.stop(1, "t1")])
    #expect(other.code == .failedPrecondition)
    #expect(other.status.message == "providers/p/tasks/t1: is assigned to v1")
  }

  @Test mutating func anInvalidStopIsNamed() throws {
    try fleet.createTask("t1")
    try fleet.createDeliveryVehicle("v1")
    let field = "delivery_vehicle.\(journeyField)"
    let stops: [(VehicleJourneySegment, String)] = [
      (.stop(2, "t1"), "[1].stop.tasks[0].task_id"), (.stop(2, ""), "[1].stop.tasks[0].task_id"),
      (.stop(2, state: .unspecified), "[1].stop.state"),
      (.stop(181), "[1].stop.planned_location.point"),
      (
        VehicleJourneySegment(stop: VehicleStop(state: .new)), "[1].stop.planned_location"
      ),
    ]
    for (stop, place) in stops {
      #expect(try fleet.planFailure("v1", [.stop(1, "t1"), stop]).fields == [field + place])
    }
    var segment = VehicleJourneySegment.stop(2)
    segment.path = [.equator(181)]
    segment.drivingDistanceMeters = -1
    segment.drivingDuration = WireDuration(seconds: -1, nanos: 0)
    #expect(
      try fleet.planFailure("v1", [segment]).fields
        == [".path", ".driving_distance_meters", ".driving_duration"].map { "\(field)[0]\($0)" })
  }

  // MARK: The way

  @Test mutating func theWayToAStopStaysAsItWasPlanned() throws {
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    try fleet.plan("v1", [.stop(1), .stop(2), .stop(3)])
    func paths() throws -> [[Double]] {
      try fleet.deliveryVehicle("v1").remainingVehicleJourneySegments.map {
        $0.path.map(\.longitude)
      }
    }
    try fleet.move("v1", to: .equator(0.9))
    #expect(try paths() == [[0, 1], [1, 2], [2, 3]])
    try fleet.plan("v1", [.stop(2), .stop(3)])
    #expect(try paths() == [[1, 2], [2, 3]])
    // Another order.
    try fleet.plan("v1", [.stop(3), .stop(2)])
    #expect(try paths() == [[0.9, 3], [3, 2]])
  }

  @Test mutating func aResponseMayBeSentBackInAnotherOrder() throws {
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    let planned = try fleet.plan("v1", [.stop(1), .stop(2)]).remainingVehicleJourneySegments
    #expect(try fleet.plan("v1", planned).remainingVehicleJourneySegments == planned)
    let turned = try fleet.plan("v1", planned.reversed()).remainingVehicleJourneySegments
    #expect(turned.map { $0.path.map(\.longitude) } == [[0, 2], [2, 1]])
    #expect(turned[0].drivingDistanceMeters == Int32(meters: 2 * degree))
  }

  @Test mutating func aStopKeepsItsWayWhenATaskIsDone() throws {
    for id in ["t1", "t2"] { try fleet.createTask(id) }
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    try fleet.plan("v1", [.stop(1, "t1", "t2", state: .arrived)])
    let arrived = fleet.now
    fleet.advance(20)
    let segments = try fleet.plan("v1", [.stop(1, "t2", state: .arrived)])
      .remainingVehicleJourneySegments
    #expect(segments[0].path == [.equator(0), .equator(1)])
    #expect(try fleet.task("t1").state == .closed)
    #expect(try fleet.tracking("t2").estimatedArrivalTime == arrived)
  }

  @Test mutating func theProviderMaySetTheWay() throws {
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    var segment = VehicleJourneySegment.stop(1)
    segment.path = [.equator(0), LatLng(latitude: 0.5, longitude: 0.5), .equator(1)]
    segment.drivingDuration = WireDuration(.seconds(77))
    try fleet.plan("v1", [segment])
    let found = try fleet.deliveryVehicle("v1").remainingVehicleJourneySegments[0]
    #expect(found.path == segment.path)
    #expect(found.drivingDuration == segment.drivingDuration)
    #expect(found.drivingDistanceMeters == length(of: segment.path).map { Int32(meters: $0) })
  }

  @Test mutating func aTaskShowsTheStopsUpToItsOwn() throws {
    for id in ["t1", "t2", "t3"] { try fleet.createTask(id) }
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    try fleet.plan("v1", [.stop(1, "t1"), .stop(2, "t2"), .stop(3, "t3")])
    try fleet.move("v1", to: .equator(0.5))
    fleet.advance(20)
    let info = try #require(try fleet.task("t2").journeySharingInfo)
    #expect(info.remainingVehicleJourneySegments.map(\.stop) == [nil, nil])
    #expect(info.remainingVehicleJourneySegments[0].path == [.equator(0.5), .equator(1)])
    #expect(
      info.remainingVehicleJourneySegments.map(\.drivingDistanceMeters) == [
        Int32(meters: degree / 2), Int32(meters: degree),
      ])
    #expect(info.lastLocation?.location == .equator(0.5))
    #expect(info.lastLocation?.timeSinceUpdate == 20)
    #expect(!info.lastLocationSnappable)
  }

  private mutating func report(_ id: String, _ points: [LatLng]) throws {
    let route = Array(try S2Polyline.encode(points).utf8)
    try fleet.updateDelivery(
      id, "last_location,current_route_segment,remaining_distance_meters,remaining_duration"
    ) {
      $0.lastLocation = DeliveryVehicleLocation(location: points[0])
      $0.currentRouteSegment = route
      $0.remainingDistanceMeters = 5000
      $0.remainingDuration = WireDuration(.seconds(600))
    }
  }

  @Test mutating func aTaskShowsTheRouteOfTheDriver() throws {
    try fleet.createTask("t1")
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    try fleet.plan("v1", [.stop(1, "t1")])
    try report("v1", [.equator(0.4), LatLng(latitude: 0.1, longitude: 0.7), .equator(1)])
    let info = try #require(try fleet.task("t1").journeySharingInfo)
    #expect(info.lastLocationSnappable)
    let segment = info.remainingVehicleJourneySegments[0]
    #expect(segment.path.count == 3)
    #expect(segment.drivingDistanceMeters == 5000)
    #expect(segment.drivingDuration == WireDuration(.seconds(600)))
    // The vehicle goes on along the route, of which each report of the location shows the rest.
    try fleet.move("v1", to: LatLng(latitude: 0.05, longitude: 0.85))
    let rest = try fleet.task("t1").journeySharingInfo?.remainingVehicleJourneySegments[0].path
    #expect(rest?.count == 2)
    #expect(rest?[0] == LatLng(latitude: 0.05, longitude: 0.85))
  }

  @Test mutating func aRouteToAnotherStopIsNotShown() throws {
    for id in ["t1", "t2"] { try fleet.createTask(id) }
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    try fleet.plan("v1", [.stop(1, "t1"), .stop(2, "t2")])
    try report("v1", [.equator(0.4), .equator(1.5)])
    let segment = try fleet.task("t1").journeySharingInfo?.remainingVehicleJourneySegments[0]
    #expect(segment?.path == [.equator(0.4), .equator(1)])
    #expect(segment?.drivingDistanceMeters == Int32(meters: degree * 0.6))
    // The route ends with its stop, unless the request has the next one.
    try report("v1", [.equator(0.9), .equator(1)])
    try fleet.plan("v1", [.stop(2, "t2")])
    var vehicle = try fleet.deliveryVehicle("v1")
    #expect(vehicle.currentRouteSegment == [])
    #expect(vehicle.remainingDistanceMeters == nil)
    #expect(vehicle.remainingDuration == nil)
    vehicle = try fleet.updateDelivery("v1", "\(journeyField),current_route_segment") {
      $0.remainingVehicleJourneySegments = []
      $0.currentRouteSegment = Array("_p~iF~ps|U".utf8)
    }
    #expect(vehicle.currentRouteSegment == Array("_p~iF~ps|U".utf8))
  }

  @Test mutating func theRestOfARouteIsIgnoredWithoutTheRoute() throws {
    try fleet.createDeliveryVehicle("v1")
    let vehicle = try fleet.updateDelivery(
      "v1",
      "remaining_distance_meters,remaining_duration,current_route_segment_end_point,navigation_status"
    ) {
      $0.remainingDistanceMeters = 9
      $0.remainingDuration = WireDuration(.seconds(9))
      $0.currentRouteSegmentEndPoint = .equator(1)
      $0.navigationStatus = .enrouteToDestination
    }
    #expect(vehicle.remainingDistanceMeters == nil)
    #expect(vehicle.remainingDuration == nil)
    #expect(vehicle.currentRouteSegmentEndPoint == nil)
    #expect(vehicle.navigationStatus == .enrouteToDestination)
  }

  @Test mutating func atAStopNothingRemainsToDrive() throws {
    try fleet.createTask("t1")
    try fleet.createDeliveryVehicle("v1", at: .equator(0))
    try fleet.plan("v1", [.stop(1, "t1", state: .arrived)])
    let segment = try #require(
      try fleet.task("t1").journeySharingInfo?.remainingVehicleJourneySegments[0])
    #expect(segment.path == [])
    #expect(segment.drivingDistanceMeters == 0)
    #expect(segment.drivingDuration == WireDuration(.zero))
  }

  // MARK: Updates

  private static let invalidUpdates: [(String, String, Change)] = [
    ("name", "update_mask", { _ in }), ("", "update_mask", { _ in }),
    ("last_location.nothing", "update_mask", { _ in }),
    (
      "current_route_segment", "delivery_vehicle.current_route_segment",
      { $0.currentRouteSegment = Array("?".utf8) }
    ),
    ("last_location", "delivery_vehicle.last_location.location", { $0.lastLocation = .init() }),
    (
      "attributes", "delivery_vehicle.attributes",
      { $0.attributes = (0...100).map { DeliveryVehicleAttribute(key: "\($0)") } }
    ),
  ]

  @Test(arguments: invalidUpdates)
  mutating func updateNamesTheInvalidField(
    _ mask: String, _ field: String, _ change: @Sendable (inout DeliveryVehicle) -> Void
  ) throws {
    try fleet.createDeliveryVehicle("v1")
    let error = try fleet.failure(
      DeliveryServiceMethods.updateDeliveryVehicle, TestFleet.deliveryUpdate("v1", mask, change))
    #expect(error.fields == [field])
  }

  @Test mutating func masksLeadIntoMessages() throws {
    try fleet.createDeliveryVehicle("v1", at: .equator(1))
    fleet.advance(5)
    let vehicle = try fleet.updateDelivery("v1", "last_location.location.latitude,type") {
      $0.lastLocation = .init(location: LatLng(latitude: 3, longitude: 7))
      $0.type = .bicycle
    }
    #expect(vehicle.lastLocation?.location == LatLng(latitude: 3, longitude: 1))
    #expect(vehicle.lastLocation?.serverTime == fleet.now)
    #expect(vehicle.type == .bicycle)
    #expect(try fleet.updateDelivery("v1", "type") { _ in }.type == .auto)
  }

  @Test mutating func pastLocationsAreInputOnly() throws {
    try fleet.createDeliveryVehicle("v1")
    let vehicle = try fleet.updateDelivery("v1", "past_locations,last_location") {
      $0.pastLocations = [.init(location: .equator(1))]
      $0.lastLocation = .init(
        location: .equator(2), isGpsSensorEnabled: true, numStaleUpdates: 3)
    }
    #expect(vehicle.pastLocations == [])
    #expect(vehicle.lastLocation?.isGpsSensorEnabled == nil)
    #expect(vehicle.lastLocation?.numStaleUpdates == nil)
  }

  // MARK: Lists

  @Test mutating func listsFilter() throws {
    for (id, place) in [("v1", 1.0), ("v2", 2), ("v3", 179.5)] {
      try fleet.createDeliveryVehicle(id, at: .equator(place)) {
        $0.attributes = [.init(key: "depot", value: id == "v2" ? "south" : "north")]
      }
    }
    try fleet.plan("v1", [.stop(1)])
    func list(
      _ change: (inout ListDeliveryVehiclesRequest) -> Void
    ) throws -> ListDeliveryVehiclesResponse {
      var request = ListDeliveryVehiclesRequest(parent: "providers/p")
      change(&request)
      return try fleet.call(DeliveryServiceMethods.listDeliveryVehicles, request)
    }
    func ids(_ response: ListDeliveryVehiclesResponse) -> [String] {
      response.deliveryVehicles.map { String($0.name.suffix(2)) }
    }
    let all = try list { _ in }
    #expect(ids(all) == ["v1", "v2", "v3"])
    #expect(all.totalSize == 3)
    #expect(all.deliveryVehicles[0].remainingVehicleJourneySegments == [])
    #expect(try ids(list { $0.filter = "attributes.depot = north" }) == ["v1", "v3"])
    let viewport = Viewport(
      low: LatLng(latitude: -1, longitude: 179), high: LatLng(latitude: 1, longitude: 1.5))
    #expect(try ids(list { $0.viewport = viewport }) == ["v1", "v3"])
    let first = try list { $0.pageSize = 2 }
    #expect(ids(first) == ["v1", "v2"])
    #expect(
      try ids(
        list {
          $0.pageSize = 2
          $0.pageToken = first.nextPageToken
        }) == ["v3"])
    let error = try fleet.failure(
      DeliveryServiceMethods.listDeliveryVehicles,
      ListDeliveryVehiclesRequest(parent: "providers/p", filter: "type = AUTO"))
    #expect(error.fields == ["filter"])
  }
}
