import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

@Suite struct TripTests {
  private var fleet = TestFleet()
  private let route = [
    LatLng(latitude: 1, longitude: 0.5), LatLng(latitude: 1, longitude: 0.8),
    LatLng(latitude: 1, longitude: 1),
  ]

  @Test mutating func createIgnoresAllButTheDocumentedFields() throws {
    let trip = try fleet.createTrip("t1") {
      $0.name = "providers/other/trips/x"
      $0.tripStatus = .canceled
      $0.numberOfPassengers = 2
      $0.pickupTime = Timestamp(seconds: 1, nanos: 0)
      $0.intermediateDestinations = [.at(1, 1.5)]
    }
    #expect(trip.name == "providers/p/trips/t1")
    #expect(trip.tripStatus == .new)
    #expect(trip.numberOfPassengers == 2)
    #expect(trip.pickupTime == nil)
    #expect(trip.intermediateDestinationsVersion == fleet.now)
    #expect(trip.view == .sdk)
    #expect(try fleet.trip("t1") == trip)
  }

  private typealias Change = @Sendable (inout Trip) -> Void

  private static let invalidFields: [(String, Change)] = [
    ("trip.trip_type", { $0.tripType = .unknown }),
    ("trip.pickup_point", { $0.pickupPoint = nil }),
    ("trip.pickup_point.point", { $0.pickupPoint = .at(91, 0) }),
    ("trip.dropoff_point.point", { $0.dropoffPoint = .at(0, -181) }),
    (
      "trip.intermediate_destinations",
      {
        $0.tripType = .shared
        $0.intermediateDestinations = [.at(1, 1)]
      }
    ),
    ("trip.number_of_passengers", { $0.numberOfPassengers = -1 }),
    ("trip.attributes[0].key", { $0.attributes = [TripAttribute(key: "")] }),
    (
      "trip.attributes",
      { $0.attributes = [TripAttribute(key: "a"), TripAttribute(key: "a")] }
    ),
  ]

  @Test(arguments: invalidFields)
  mutating func createNamesTheInvalidField(
    _ field: String, _ change: @Sendable (inout Trip) -> Void
  ) throws {
    var trip = Trip(tripType: .exclusive, pickupPoint: .at(1, 1), dropoffPoint: .at(1, 2))
    change(&trip)
    let error = try fleet.failure(
      TripServiceMethods.createTrip,
      CreateTripRequest(parent: "providers/p", tripId: "t1", trip: trip))
    #expect(error.code == .invalidArgument)
    #expect(error.fields == [field])
  }

  @Test(arguments: [
    "", "a/b", "a:b", "a?b", "a,b", "a#b", String(repeating: "a", count: 65), "e\u{301}",
  ])
  mutating func createChecksTheID(_ id: String) throws {
    let error = try fleet.failure(
      TripServiceMethods.createTrip,
      CreateTripRequest(
        parent: "providers/p", tripId: id,
        trip: Trip(tripType: .exclusive, pickupPoint: .at(1, 1))))
    #expect(error.fields == ["trip_id"])
  }

  @Test mutating func createRefusesAnIDInUse() throws {
    try fleet.createTrip("t1")
    let error = try fleet.failure(
      TripServiceMethods.createTrip,
      CreateTripRequest(
        parent: "providers/p", tripId: "t1",
        trip: Trip(tripType: .exclusive, pickupPoint: .at(1, 1))))
    #expect(error.code == .alreadyExists)
    let info = try error.status.details[0].unpack(ResourceInfo.self)
    #expect(info?.resourceName == "providers/p/trips/t1")
  }

  @Test mutating func providersAreSeparate() throws {
    try fleet.createTrip("t1")
    let error = try fleet.failure(
      TripServiceMethods.getTrip, GetTripRequest(name: "providers/q/trips/t1"))
    #expect(error.code == .notFound)
  }

  @Test mutating func aTripShowsTheJourneyOfItsVehicle() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1")
    let assigned = try fleet.updateTrip("t1", "vehicle_id") { $0.vehicleId = "v1" }
    #expect(assigned.vehicleWaypoints.map(\.waypointType) == [.pickup, .dropOff])
    #expect(try fleet.vehicle("v1").currentTrips == ["t1"])
    fleet.advance()
    try fleet.drive("v1", route, seconds: 60, meters: 55_000)
    fleet.advance(10)
    let trip = try fleet.trip("t1")
    #expect(trip.vehicleWaypoints == [])
    #expect(trip.remainingWaypoints.map(\.waypointType) == [.pickup, .dropOff])
    #expect(trip.remainingDistanceMeters == 55_000)
    #expect(trip.etaToFirstWaypoint == fleet.now + .seconds(50))
    #expect(trip.remainingTimeToFirstWaypoint == WireDuration(.seconds(50)))
    #expect(trip.pickupTime == trip.etaToFirstWaypoint)
    #expect(trip.dropoffTime == trip.remainingWaypoints[1].eta)
    #expect(trip.lastLocation?.location == route[0])
    #expect(trip.lastLocation?.timeSinceUpdate == 10)
    #expect(trip.lastLocationSnappable)
    #expect(trip.route.count == 3)
    #expect(trip.currentRouteSegment == "")
    let encoded = try fleet.trip("t1") { $0.routeFormatType = .encodedPolylineType }
    #expect(encoded.route == [])
    #expect(try encoded.currentRouteSegmentPoints().count == 3)
    #expect(trip.remainingWaypoints[1].pathToWaypoint.count == 2)
  }

  @Test mutating func onlyNewerPartsAreSent() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    fleet.advance()
    try fleet.drive("v1", route, seconds: 60, meters: 55_000)
    let first = try fleet.trip("t1")
    let versions: (inout GetTripRequest) -> Void = {
      $0.currentRouteSegmentVersion = first.currentRouteSegmentVersion
      $0.remainingWaypointsVersion = first.remainingWaypointsVersion
      $0.remainingWaypointsRouteVersion = first.remainingWaypointsRouteVersion
    }
    fleet.advance()
    let second = try fleet.trip("t1", versions)
    #expect(second.route == [])
    #expect(second.remainingWaypoints.map(\.pathToWaypoint) == [[], []])
    #expect(second.currentRouteSegmentVersion == first.currentRouteSegmentVersion)
    #expect(second.etaToFirstWaypoint == first.etaToFirstWaypoint)
    // A change of the route alone is sent without the stops.
    try fleet.drive("v1", Array(route.dropFirst()), seconds: 58, meters: 55_000)
    let third = try fleet.trip("t1", versions)
    #expect(third.route.count == 2)
    #expect(try #require(third.currentRouteSegmentVersion) > first.currentRouteSegmentVersion!)
    // Stops without paths that are known.
    try fleet.updateVehicle("v1", "remaining_time_seconds") { $0.remainingTimeSeconds = 90 }
    let fourth = try fleet.trip("t1", versions)
    #expect(fourth.remainingWaypoints.count == 2)
    #expect(fourth.remainingWaypoints[1].pathToWaypoint == [])
  }

  @Test mutating func aStatusRemovesTheStopsThatThePassed() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") {
      $0.vehicleId = "v1"
      $0.intermediateDestinations = [.at(1, 1.2), .at(1, 1.4)]
    }
    func left(_ fleet: inout TestFleet) throws -> [WaypointType] {
      try fleet.trip("t1").remainingWaypoints.map(\.waypointType)
    }
    let middle = WaypointType.intermediateDestination
    #expect(try left(&fleet) == [.pickup, middle, middle, .dropOff])
    try fleet.go("t1", .arrivedAtPickup)
    #expect(try left(&fleet) == [.pickup, middle, middle, .dropOff])
    fleet.advance(5)
    try fleet.go("t1", .enrouteToIntermediateDestination, destination: 0)
    #expect(try left(&fleet) == [middle, middle, .dropOff])
    #expect(try fleet.trip("t1").pickupTime == fleet.now)
    try fleet.go("t1", .arrivedAtIntermediateDestination, destination: 0)
    try fleet.go("t1", .enrouteToIntermediateDestination, destination: 1)
    #expect(try left(&fleet) == [middle, .dropOff])
    try fleet.go("t1", .enrouteToDropoff)
    #expect(try left(&fleet) == [.dropOff])
    fleet.advance(5)
    try fleet.go("t1", .complete)
    #expect(try left(&fleet) == [])
    let over = try fleet.trip("t1")
    #expect(over.dropoffTime == fleet.now)
    #expect(over.vehicleId == "v1")
    #expect(over.lastLocation == nil)
    #expect(try fleet.vehicle("v1").currentTrips == [])
    #expect(try fleet.vehicle("v1").waypoints == [])
  }

  @Test(arguments: [
    (TripStatus.enrouteToDropoff, TripStatus.enrouteToPickup), (.complete, .canceled),
    (.canceled, .new), (.arrivedAtPickup, .new),
  ])
  mutating func aTripDoesNotGoBack(_ from: TripStatus, _ to: TripStatus) throws {
    try fleet.createTrip("t1")
    try fleet.go("t1", from)
    let error = try fleet.failure(
      TripServiceMethods.updateTrip,
      TestFleet.tripUpdate("t1", "trip_status") { $0.tripStatus = to })
    #expect(error.code == .failedPrecondition)
  }

  @Test mutating func anOldVersionOfTheDestinationsIsRefused() throws {
    try fleet.createTrip("t1") { $0.intermediateDestinations = [.at(1, 1.2)] }
    let old = try fleet.trip("t1").intermediateDestinationsVersion
    fleet.advance()
    try fleet.updateTrip("t1", "intermediate_destinations") {
      $0.intermediateDestinations = [.at(1, 1.3)]
    }
    let error = try fleet.failure(
      TripServiceMethods.updateTrip,
      TestFleet.tripUpdate("t1", "trip_status") {
        $0.tripStatus = .enrouteToIntermediateDestination
        $0.intermediateDestinationsVersion = old
      })
    #expect(error.code == .failedPrecondition)
  }

  @Test(arguments: ["name", "last_location", "number_of_passengers", "remaining_waypoints"])
  mutating func fieldsOfTheServerCannotBeUpdated(_ field: String) throws {
    try fleet.createTrip("t1")
    let error = try fleet.failure(
      TripServiceMethods.updateTrip, TestFleet.tripUpdate("t1", field) { _ in })
    #expect(error.fields == ["update_mask"])
  }

  @Test(arguments: ["", "nothing", "pickup_point.nothing", "attributes.key"])
  mutating func invalidMasksAreRefused(_ mask: String) throws {
    try fleet.createTrip("t1")
    let error = try fleet.failure(
      TripServiceMethods.updateTrip, TestFleet.tripUpdate("t1", mask) { _ in })
    #expect(error.fields == ["update_mask"])
  }

  @Test mutating func masksLeadIntoMessages() throws {
    try fleet.createTrip("t1")
    let trip = try fleet.updateTrip("t1", "pickup_point.point.latitude") {
      $0.pickupPoint = .at(3, 7)
    }
    #expect(trip.pickupPoint?.point == LatLng(latitude: 3, longitude: 1))
  }

  @Test mutating func anAssignedTripCannotBeDeleted() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    let request = DeleteTripRequest(name: "providers/p/trips/t1")
    #expect(
      try fleet.failure(TripServiceMethods.deleteTrip, request).code == .failedPrecondition)
    try fleet.go("t1", .canceled)
    _ = try fleet.call(TripServiceMethods.deleteTrip, request)
    #expect(try fleet.failure(TripServiceMethods.deleteTrip, request).code == .notFound)
  }

  @Test mutating func tripsOfAVehicleFollowEachOther() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    try fleet.createTrip("t2") { $0.vehicleId = "v1" }
    #expect(try fleet.trip("t1").remainingWaypoints.map(\.tripId) == ["t1", "t1"])
    #expect(try fleet.trip("t2").remainingWaypoints.map(\.tripId) == ["t1", "t1", "t2", "t2"])
  }

  @Test mutating func theProviderOrdersSharedStops() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") {
      $0.tripType = .shared
      $0.vehicleId = "v1"
    }
    func stop(_ trip: String, _ type: WaypointType) -> TripWaypoint {
      TripWaypoint(
        location: type == .pickup ? .at(1, 1) : .at(1, 2), tripId: trip, waypointType: type)
    }
    let order = [
      stop("t1", .pickup), stop("t2", .pickup), stop("t1", .dropOff), stop("t2", .dropOff),
    ]
    try fleet.createTrip("t2") {
      $0.tripType = .shared
      $0.vehicleId = "v1"
      $0.vehicleWaypoints = order
    }
    #expect(try fleet.vehicle("v1").waypoints.map(\.tripId) == ["t1", "t2", "t1", "t2"])
    #expect(try fleet.trip("t1").remainingWaypoints.map(\.tripId) == ["t1", "t2", "t1"])
    // Too few, in the wrong order, and between those of an exclusive trip.
    for wrong in [Array(order.dropLast()), order.reversed()] {
      let error = try fleet.failure(
        TripServiceMethods.updateTrip,
        TestFleet.tripUpdate("t2", "vehicle_waypoints") { $0.vehicleWaypoints = wrong })
      #expect(error.fields == ["trip.vehicle_waypoints"])
    }
    let error = try fleet.failure(
      TripServiceMethods.updateTrip,
      TestFleet.tripUpdate("t2", "vehicle_waypoints,trip_type") {
        $0.vehicleWaypoints = order
        $0.tripType = .exclusive
      })
    #expect(error.fields == ["trip.vehicle_waypoints"])
  }

  @Test mutating func anotherVehicleTakesOver() throws {
    try fleet.createVehicle("v1")
    try fleet.createVehicle("v2")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    fleet.advance()
    try fleet.drive("v1", route, seconds: 60, meters: 55_000)
    let before = try fleet.trip("t1")
    fleet.advance()
    let after = try fleet.updateTrip("t1", "vehicle_id") { $0.vehicleId = "v2" }
    #expect(after.route == [])
    #expect(after.currentRouteSegmentVersion == fleet.now)
    #expect(after.currentRouteSegmentVersion != before.currentRouteSegmentVersion)
    #expect(try fleet.vehicle("v1").waypoints == [])
    #expect(try fleet.vehicle("v2").waypoints.count == 2)
  }

  @Test mutating func anUnknownVehicleIsReported() throws {
    let error = try fleet.failure(
      TripServiceMethods.createTrip,
      CreateTripRequest(
        parent: "providers/p", tripId: "t1",
        trip: Trip(vehicleId: "v9", tripType: .exclusive, pickupPoint: .at(1, 1))))
    #expect(error.code == .notFound)
    #expect(error.status.message == "providers/p/vehicles/v9 does not exist")
  }

  @Test mutating func searchesHavePages() throws {
    for number in 0..<5 { try fleet.createTrip("t\(number)") }
    var found: [String] = []
    var request = SearchTripsRequest(parent: "providers/p", pageSize: 2)
    repeat {
      let response = try fleet.call(TripServiceMethods.searchTrips, request)
      found += response.trips.map(\.id)
      request.pageToken = response.nextPageToken
      // A trip that is deleted between pages moves none of the others.
      if found.count == 2 {
        _ = try fleet.call(
          TripServiceMethods.deleteTrip, DeleteTripRequest(name: "providers/p/trips/t1"))
      }
    } while !request.pageToken.isEmpty
    #expect(found == ["t0", "t1", "t2", "t3", "t4"])
    request.pageToken = try fleet.call(
      TripServiceMethods.searchTrips, SearchTripsRequest(parent: "providers/p", pageSize: 1)
    ).nextPageToken
    request.activeTripsOnly = true
    #expect(
      try fleet.failure(TripServiceMethods.searchTrips, request).fields == ["page_token"])
    request.pageToken = "?"
    #expect(
      try fleet.failure(TripServiceMethods.searchTrips, request).fields == ["page_token"])
  }

  @Test mutating func searchesFilter() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    try fleet.createTrip("t2")
    try fleet.go("t1", .enrouteToPickup)
    fleet.advance(60)
    try fleet.go("t2", .enrouteToPickup)
    func search(_ change: (inout SearchTripsRequest) -> Void) throws -> [Trip] {
      var request = SearchTripsRequest(parent: "providers/p")
      change(&request)
      return try fleet.call(TripServiceMethods.searchTrips, request).trips
    }
    #expect(try search { $0.vehicleId = "v1" }.map(\.id) == ["t1"])
    #expect(try search { $0.vehicleId = "v1" }[0].remainingWaypoints.count == 2)
    #expect(try search { _ in }[0].remainingWaypoints == [])
    #expect(
      try search { $0.minimumStaleness = WireDuration(.seconds(30)) }.map(\.id) == ["t1"])
    try fleet.go("t1", .complete)
    #expect(try search { $0.activeTripsOnly = true }.map(\.id) == ["t2"])
  }

  /// Also within the same moment, when both have the same versions.
  @Test mutating func aTripWithTheNameOfADeletedOneHasItsOwnStops() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    #expect(try fleet.trip("t1").remainingWaypoints[0].location == .at(1, 1))
    try fleet.go("t1", .canceled)
    _ = try fleet.call(
      TripServiceMethods.deleteTrip, DeleteTripRequest(name: "providers/p/trips/t1"))
    try fleet.createTrip("t1") {
      $0.vehicleId = "v1"
      $0.pickupPoint = .at(5, 5)
    }
    #expect(try fleet.trip("t1").remainingWaypoints[0].location == .at(5, 5))
  }

  @Test mutating func theViewForSharingHasOnlyItsFields() throws {
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    try fleet.drive("v1", route, seconds: 60, meters: 55_000)
    let trip = try fleet.trip("t1") { $0.view = .journeySharingV1s }
    #expect(trip.view == .journeySharingV1s)
    #expect(trip.route == [])
    #expect(trip.etaToFirstWaypoint == nil)
    #expect(trip.remainingDistanceMeters == nil)
    #expect(trip.currentRouteSegmentVersion == nil)
    #expect(trip.remainingWaypoints[0].pathToWaypoint.count == 3)
    #expect(trip.remainingWaypoints[0].distanceMeters == 55_000)
  }
}
