import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

@Suite struct VehicleTests {
  private var fleet = TestFleet()

  private typealias Change = @Sendable (inout Vehicle) -> Void

  // MARK: Creation

  private static let invalidFields: [(String, Change)] = [
    ("vehicle.vehicle_state", { $0.vehicleState = .unknown }),
    ("vehicle.supported_trip_types", { $0.supportedTripTypes = [] }),
    ("vehicle.supported_trip_types", { $0.supportedTripTypes = [.exclusive, .unknown] }),
    ("vehicle.maximum_capacity", { $0.maximumCapacity = 0 }),
    ("vehicle.vehicle_type", { $0.vehicleType = nil }),
    ("vehicle.vehicle_type", { $0.vehicleType = .init() }),
    ("vehicle.last_location.location", { $0.lastLocation = .init() }),
    ("vehicle.last_location.location", { $0.lastLocation = .init(location: .equator(-181)) }),
    (
      "vehicle.last_location.location_sensor",
      { $0.lastLocation = .init(location: .equator(1), locationSensor: .fleetEngineLocation) }
    ),
    ("vehicle.attributes[0].key", { $0.attributes = [VehicleAttribute(key: "a:b")] }),
    ("vehicle.attributes", { $0.attributes = [.init(key: "a"), .init(key: "a")] }),
    ("vehicle.attributes", { $0.attributes = (0...100).map { VehicleAttribute(key: "\($0)") } }),
    (
      "vehicle.attributes[0]",
      { $0.attributes = [.init(key: "key", value: String(repeating: "a", count: 253))] }
    ),
    (
      "vehicle.attributes[0]",
      { $0.attributes = [.init(key: "a", value: "1", vehicleAttributeValue: .numberValue(2))] }
    ),
  ]

  @Test(arguments: invalidFields)
  mutating func createNamesTheInvalidField(
    _ field: String, _ change: @Sendable (inout Vehicle) -> Void
  ) throws {
    var vehicle = Vehicle(
      vehicleState: .online, supportedTripTypes: [.exclusive], maximumCapacity: 1,
      vehicleType: .init(category: .auto))
    change(&vehicle)
    let error = try fleet.failure(
      VehicleServiceMethods.createVehicle,
      CreateVehicleRequest(parent: "providers/p", vehicleId: "v1", vehicle: vehicle))
    #expect(error.code == .invalidArgument)
    #expect(error.fields == [field])
  }

  @Test mutating func createChecksTheRequest() throws {
    var request = CreateVehicleRequest(parent: "p", vehicleId: "a/b")
    let error = try fleet.failure(VehicleServiceMethods.createVehicle, request)
    #expect(
      error.fields == [
        "parent", "vehicle_id", "vehicle", "vehicle.vehicle_state",
        "vehicle.supported_trip_types", "vehicle.maximum_capacity", "vehicle.vehicle_type",
      ])
    request.vehicle = try fleet.createVehicle("v1")
    (request.parent, request.vehicleId) = ("providers/p", "v1")
    #expect(
      try fleet.failure(VehicleServiceMethods.createVehicle, request).code == .alreadyExists)
  }

  @Test mutating func createIgnoresWhatBelongsToARoute() throws {
    let vehicle = try fleet.createVehicle("v1") {
      $0.name = "x"
      $0.currentTrips = ["t1"]
      $0.currentRouteSegment = "_p~iF~ps|U"
      $0.currentRouteSegmentEndPoint = TripWaypoint(tripId: "t1")
      $0.currentRouteSegmentVersion = Timestamp(seconds: 1, nanos: 0)
      $0.route = [.at(1, 1)]
      $0.waypoints = [TripWaypoint(tripId: "t1")]
      $0.waypointsVersion = Timestamp(seconds: 1, nanos: 0)
      $0.remainingDistanceMeters = 5
      $0.remainingTimeSeconds = 5
      $0.etaToFirstWaypoint = Timestamp(seconds: 1, nanos: 0)
      $0.navigationStatus = .noGuidance
      // And uses the others.
      $0.licensePlate = LicensePlate(countryCode: "US", lastCharacter: "7")
      $0.backToBackEnabled = true
      $0.lastLocation = VehicleLocation(location: .equator(1))
      $0.attributes = [VehicleAttribute(key: "class", value: "eco")]
    }
    #expect(
      vehicle
        == Vehicle(
          name: "providers/p/vehicles/v1", vehicleState: .online,
          supportedTripTypes: [.exclusive, .shared],
          lastLocation: VehicleLocation(
            location: .equator(1), serverTime: fleet.now, timeSinceUpdate: 0),
          maximumCapacity: 4,
          attributes: [
            VehicleAttribute(
              key: "class", value: "eco", vehicleAttributeValue: .stringValue("eco"))
          ],
          vehicleType: .init(category: .auto),
          licensePlate: LicensePlate(countryCode: "US", lastCharacter: "7"),
          backToBackEnabled: true))
    #expect(try fleet.vehicle("v1") == vehicle)
  }

  // MARK: Updates

  @Test(arguments: [
    "name", "current_trips", "current_route_segment_version", "waypoints_version", "", "nothing",
    "attributes.key",
  ])
  mutating func someFieldsCannotBeUpdated(_ mask: String) throws {
    try fleet.createVehicle("v1")
    let error = try fleet.failure(
      VehicleServiceMethods.updateVehicle, TestFleet.vehicleUpdate("v1", mask) { _ in })
    #expect(error.fields == ["update_mask"])
  }

  @Test mutating func inputOnlyFieldsAreNotReturned() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    let vehicle = try fleet.updateVehicle(
      "v1",
      "past_locations,device_settings,current_route_segment,current_route_segment_traffic,last_location"
    ) {
      $0.pastLocations = [.init(location: .equator(1))]
      $0.deviceSettings = DeviceSettings(isInteractive: true)
      $0.currentRouteSegment = "_p~iF~ps|U_ulLnnqC"
      $0.currentRouteSegmentTraffic = .stretches((0, 100, .trafficJam))
      $0.lastLocation = VehicleLocation(
        location: .equator(1), isGpsSensorEnabled: true, numStaleUpdates: 2)
    }
    #expect(vehicle.pastLocations == [])
    #expect(vehicle.deviceSettings == nil)
    #expect(vehicle.currentRouteSegmentTraffic == nil)
    #expect(vehicle.lastLocation?.isGpsSensorEnabled == nil)
    #expect(vehicle.lastLocation?.numStaleUpdates == nil)
    #expect(try fleet.vehicle("v1") == vehicle)
    #expect(try fleet.trip("t1").currentRouteSegmentTraffic?.speedReadingInterval.count == 1)
  }

  @Test mutating func theEndOfARouteNeedsTheRoute() throws {
    try fleet.createVehicle("v1")
    let end = TripWaypoint(location: .at(1, 1))
    let ignored = try fleet.updateVehicle("v1", "current_route_segment_end_point") {
      $0.currentRouteSegmentEndPoint = end
    }
    #expect(ignored.currentRouteSegmentEndPoint == nil)
    let used = try fleet.updateVehicle(
      "v1", "current_route_segment,current_route_segment_end_point"
    ) {
      $0.currentRouteSegment = "_p~iF~ps|U"
      $0.currentRouteSegmentEndPoint = end
    }
    #expect(used.currentRouteSegmentEndPoint == end)
    #expect(used.currentRouteSegmentVersion == fleet.now)
    let invalid = try fleet.failure(
      VehicleServiceMethods.updateVehicle,
      TestFleet.vehicleUpdate("v1", "current_route_segment") { $0.currentRouteSegment = "A?" })
    #expect(invalid.fields == ["vehicle.current_route_segment"])
  }

  @Test mutating func theRemainingTimePrecedesTheETA() throws {
    try fleet.createVehicle("v1")
    let change: (inout Vehicle) -> Void = {
      $0.etaToFirstWaypoint = Timestamp(seconds: 5, nanos: 0)
      $0.remainingTimeSeconds = 90
    }
    let both = try fleet.updateVehicle(
      "v1", "eta_to_first_waypoint,remaining_time_seconds", change)
    #expect(both.etaToFirstWaypoint == fleet.now + .seconds(90))
    #expect(both.remainingTimeSeconds == nil)
    let eta = try fleet.updateVehicle("v1", "eta_to_first_waypoint", change)
    #expect(eta.etaToFirstWaypoint == Timestamp(seconds: 5, nanos: 0))
  }

  @Test mutating func waypointsMustBeThoseOfTheVehicle() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") {
      $0.vehicleId = "v1"
      $0.tripType = .shared
    }
    try fleet.createTrip("t2") {
      $0.vehicleId = "v1"
      $0.tripType = .shared
    }
    let stops = try fleet.vehicle("v1").waypoints
    let wrongLists = [
      [], [stops[0]], [stops[0], stops[0], stops[2], stops[3]], stops + [stops[1]],
      // The drop-off of a trip before its pickup.
      stops.reversed(),
    ]
    for wrong in wrongLists {
      let error = try fleet.failure(
        VehicleServiceMethods.updateVehicle,
        TestFleet.vehicleUpdate("v1", "waypoints") { $0.waypoints = wrong })
      #expect(error.fields == ["vehicle.waypoints"])
    }
    fleet.advance()
    let order = [2, 0, 3, 1].map { stops[$0] }
    let vehicle = try fleet.updateVehicle("v1", "waypoints") { $0.waypoints = order }
    #expect(vehicle.waypoints == order)
    #expect(vehicle.waypointsVersion == fleet.now)
    #expect(try fleet.trip("t1").remainingWaypoints.map(\.tripId) == ["t2", "t1", "t2", "t1"])
  }

  @Test mutating func aRequestMayHaveTheRouteToItsNewFirstStop() throws {
    try fleet.createVehicle("v1")
    for id in ["t1", "t2"] { try fleet.createTrip(id) { $0.vehicleId = "v1" } }
    let stops = try fleet.vehicle("v1").waypoints
    try fleet.drive("v1", [.equator(0), .equator(1)], seconds: 60, meters: 100)
    let ended = try fleet.updateVehicle("v1", "waypoints") {
      $0.waypoints = Array(stops[2...] + stops[..<2])
    }
    #expect(ended.currentRouteSegment == "")
    #expect(ended.remainingDistanceMeters == nil)
    #expect(ended.etaToFirstWaypoint == nil)
    let replaced = try fleet.updateVehicle(
      "v1", "waypoints,current_route_segment,remaining_distance_meters"
    ) {
      $0.waypoints = stops
      $0.currentRouteSegment = "_p~iF~ps|U"
      $0.remainingDistanceMeters = 70
    }
    #expect(replaced.currentRouteSegment == "_p~iF~ps|U")
    #expect(replaced.remainingDistanceMeters == 70)
  }

  @Test mutating func timesOfRequestsDoNotOverflow() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    var stops = try fleet.vehicle("v1").waypoints
    stops[0].eta = Timestamp(seconds: 253_402_300_799, nanos: 0)
    stops[1].duration = WireDuration(seconds: 315_576_000_000, nanos: 0)
    try fleet.updateVehicle("v1", "waypoints,last_location") {
      $0.waypoints = stops
      $0.lastLocation = VehicleLocation(
        location: .equator(1), updateTime: Timestamp(seconds: -62_135_596_800, nanos: 0))
    }
    let trip = try fleet.trip("t1")
    #expect(trip.lastLocation?.timeSinceUpdate == .max)
    // The last second of the year 9999.
    #expect(trip.dropoffTime?.seconds == 253_402_300_799)
  }

  // MARK: Attributes

  @Test mutating func attributesAreReplacedOrMerged() throws {
    try fleet.createVehicle("v1") {
      $0.attributes = [.init(key: "a", value: "1"), .init(key: "b", value: "2")]
    }
    let name = "providers/p/vehicles/v1"
    let merged = try fleet.call(
      VehicleServiceMethods.updateVehicleAttributes,
      UpdateVehicleAttributesRequest(
        name: name,
        attributes: [
          .init(key: "b", vehicleAttributeValue: .boolValue(true)),
          .init(key: "c", vehicleAttributeValue: .stringValue("3")),
        ]))
    #expect(merged.attributes.map(\.text) == ["1", "true", "3"])
    #expect(merged.attributes.map(\.value) == ["1", "", "3"])
    #expect(try fleet.vehicle("v1").attributes == merged.attributes)
    let replaced = try fleet.updateVehicle("v1", "attributes") {
      $0.attributes = [.init(key: "d", value: "4")]
    }
    #expect(replaced.attributes.map(\.key) == ["d"])
    let none = try fleet.failure(
      VehicleServiceMethods.updateVehicleAttributes, UpdateVehicleAttributesRequest(name: name))
    #expect(none.fields == ["attributes"])
    let tooMany = try fleet.failure(
      VehicleServiceMethods.updateVehicleAttributes,
      UpdateVehicleAttributesRequest(
        name: name, attributes: (0..<100).map { VehicleAttribute(key: "\($0)") }))
    #expect(tooMany.fields == ["attributes"])
  }

  // MARK: Reading and deleting

  @Test mutating func onlyNewerPartsAreSent() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    fleet.advance()
    try fleet.drive("v1", [.equator(0), .equator(1)], seconds: 60, meters: 100)
    let first = try fleet.vehicle("v1")
    #expect(first.currentRouteSegment != "")
    #expect(first.waypoints.count == 2)
    func vehicle(
      _ change: (inout GetVehicleRequest) -> Void
    ) throws -> Vehicle {
      var request = GetVehicleRequest(name: "providers/p/vehicles/v1")
      change(&request)
      return try fleet.call(VehicleServiceMethods.getVehicle, request)
    }
    let known = try vehicle {
      $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion
      $0.waypointsVersion = first.waypointsVersion
    }
    #expect(known.currentRouteSegment == "")
    #expect(known.waypoints == [])
    #expect(known.remainingDistanceMeters == 100)
    try fleet.drive("v1", [.equator(0.1), .equator(1)], seconds: 50, meters: 90)
    let newer = try vehicle {
      $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion
      $0.waypointsVersion = first.waypointsVersion
    }
    #expect(newer.currentRouteSegment != "")
    #expect(newer.waypoints == [])
  }

  @Test mutating func aVehicleWithTripsCannotBeDeleted() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    let request = DeleteVehicleRequest(name: "providers/p/vehicles/v1")
    let error = try fleet.failure(VehicleServiceMethods.deleteVehicle, request)
    #expect(error.code == .failedPrecondition)
    #expect(error.status.message == "providers/p/vehicles/v1: has the active trips t1")
    try fleet.go("t1", .canceled)
    _ = try fleet.call(VehicleServiceMethods.deleteVehicle, request)
    let missing = try fleet.failure(VehicleServiceMethods.deleteVehicle, request)
    #expect(missing.code == .notFound)
    #expect(
      try missing.status.details[0].unpack(ResourceInfo.self)?.resourceType
        == "fleetengine.googleapis.com/Vehicle")
  }

  @Test mutating func anInvalidVehicleIDOfATripIsNamed() throws {
    let error = try fleet.failure(
      TripServiceMethods.createTrip,
      CreateTripRequest(
        parent: "providers/p", tripId: "t1",
        trip: Trip(vehicleId: "a/b", tripType: .exclusive, pickupPoint: .at(1, 1))))
    #expect(error.fields == ["trip.vehicle_id"])
  }
}
