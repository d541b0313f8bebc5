import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

@Suite struct HostileRequestTests {
  private var fleet = TestFleet()

  @Test mutating func errorsFitIntoTrailers() throws {
    try fleet.createVehicle("v1")
    let long = String(repeating: "x", count: 100_000)
    let errors = [
      try fleet.failure(
        TripServiceMethods.getTrip, GetTripRequest(name: "providers/p/trips/\(long)")),
      try fleet.failure(
        VehicleServiceMethods.updateVehicle, TestFleet.vehicleUpdate("v1", long) { _ in }),
      try fleet.failure(
        VehicleServiceMethods.updateVehicle,
        TestFleet.vehicleUpdate("v1", "attributes") {
          $0.attributes = (0..<99).map { _ in VehicleAttribute(key: ":", value: long) }
        }),
    ]
    for error in errors {
      #expect(error.code == .invalidArgument)
      #expect(error.status.serializedBytes().count < 9_000)
    }
  }

  @Test mutating func aVehicleWithManyTripsHasASmallError() throws {
    try fleet.createVehicle("v1")
    let ids = (0..<200).map { "\($0)" + String(repeating: "t", count: 60) }
    for id in ids { try fleet.createTrip(id) { $0.vehicleId = "v1" } }
    let error = try fleet.failure(
      VehicleServiceMethods.deleteVehicle, DeleteVehicleRequest(name: "providers/p/vehicles/v1"))
    #expect(error.code == .failedPrecondition)
    #expect(error.status.message.contains(ids[0]))
    #expect(error.status.serializedBytes().count < 4_000)
  }

  @Test mutating func anUnknownMethodOfAnyLengthHasASmallError() {
    let path = "/p.S/" + String(repeating: "m", count: 100_000)
    let error = #expect(throws: EngineError.self) { try fleet.engine.call(path, [], at: fleet.now) }
    #expect(error?.code == .unimplemented)
    #expect(error?.status.serializedBytes().count ?? 0 < 4_000)
  }

  @Test(arguments: [
    Timestamp(seconds: 1 << 62, nanos: -5), Timestamp(seconds: -62_135_596_801, nanos: 0),
    Timestamp(seconds: 0, nanos: 1_000_000_000),
  ])
  mutating func impossibleTimesAreRefused(_ time: Timestamp) throws {
    try fleet.createVehicle("v1")
    let error = try fleet.failure(
      VehicleServiceMethods.updateVehicle,
      TestFleet.vehicleUpdate("v1", "eta_to_first_waypoint") { $0.etaToFirstWaypoint = time })
    #expect(error.code == .invalidArgument)
    #expect(error.fields.first?.contains("eta_to_first_waypoint") == true)
  }

  @Test mutating func destinationsAreLimited() throws {
    let error = try fleet.failure(
      TripServiceMethods.createTrip,
      CreateTripRequest(
        parent: "providers/p", tripId: "t1",
        trip: Trip(
          tripType: .exclusive, pickupPoint: .at(1, 1),
          intermediateDestinations: Array(repeating: .at(91, 1), count: 100_000))))
    #expect(error.fields.contains("trip.intermediate_destinations"))
  }

  @Test mutating func aTripDoesNotGoBackToADestination() throws {
    try fleet.createTrip("t1") { $0.intermediateDestinations = [.at(1, 1.2), .at(1, 1.4)] }
    try fleet.go("t1", .arrivedAtIntermediateDestination, destination: 1)
    for (status, index) in [
      (TripStatus.enrouteToIntermediateDestination, Int32(1)),
      (.arrivedAtIntermediateDestination, 0),
    ] {
      let error = try fleet.failure(
        TripServiceMethods.updateTrip,
        TestFleet.tripUpdate("t1", "trip_status,intermediate_destination_index") {
          $0.tripStatus = status
          $0.intermediateDestinationIndex = index
        })
      #expect(error.code == .failedPrecondition)
    }
  }

  @Test mutating func theIndexNeedsThePresentDestinations() throws {
    try fleet.createTrip("t1") { $0.intermediateDestinations = [.at(1, 1.2), .at(1, 1.4)] }
    let old = try fleet.trip("t1").intermediateDestinationsVersion
    fleet.advance()
    try fleet.updateTrip("t1", "intermediate_destinations") {
      $0.intermediateDestinations = [.at(1, 1.2), .at(1, 1.5)]
    }
    let error = try fleet.failure(
      TripServiceMethods.updateTrip,
      TestFleet.tripUpdate("t1", "intermediate_destination_index") {
        $0.intermediateDestinationIndex = 1
        $0.intermediateDestinationsVersion = old
      })
    #expect(error.code == .failedPrecondition)
  }

  private static let viewports: [Viewport] = [
    Viewport(low: LatLng(latitude: 2, longitude: 0), high: LatLng(latitude: 1, longitude: 1)),
    Viewport(low: LatLng(latitude: 0, longitude: 180), high: LatLng(latitude: 1, longitude: -180)),
    Viewport(low: LatLng(latitude: -100, longitude: 0), high: LatLng(latitude: 1, longitude: 1)),
    Viewport(low: LatLng(latitude: 0, longitude: 0)),
    Viewport(low: LatLng(latitude: .nan, longitude: 0), high: LatLng(latitude: 1, longitude: 1)),
  ]

  @Test(arguments: viewports)
  mutating func emptyViewportsAreRefused(_ viewport: Viewport) throws {
    let error = try fleet.failure(
      VehicleServiceMethods.listVehicles,
      ListVehiclesRequest(
        parent: "providers/p", vehicleTypeCategories: [.auto], viewport: viewport))
    #expect(error.code == .invalidArgument)
    #expect(error.fields.allSatisfy { $0.hasPrefix("viewport") })
  }

  @Test(arguments: ["location_sensor", "raw_location_sensor", "supplemental_location_sensor"])
  mutating func locationsOfFleetEngineAreRefused(_ field: String) throws {
    try fleet.createVehicle("v1")
    let error = try fleet.failure(
      VehicleServiceMethods.updateVehicle,
      TestFleet.vehicleUpdate("v1", "last_location") {
        var location = VehicleLocation(location: LatLng(latitude: 1, longitude: 1))
        switch field {
        case "location_sensor": location.locationSensor = .fleetEngineLocation
        case "raw_location_sensor": location.rawLocationSensor = .fleetEngineLocation
        default: location.supplementalLocationSensor = .fleetEngineLocation
        }
        $0.lastLocation = location
      })
    #expect(error.code == .invalidArgument)
  }
}
