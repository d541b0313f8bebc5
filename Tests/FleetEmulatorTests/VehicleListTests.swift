import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

@Suite struct VehicleListTests {
  private var fleet = TestFleet()

  private mutating func create(
    _ id: String, at longitude: Double? = 0, _ change: (inout Vehicle) -> Void = { _ in }
  ) throws {
    try fleet.createVehicle(id) {
      $0.lastLocation = longitude.map { VehicleLocation(location: .equator($0)) }
      change(&$0)
    }
  }

  // MARK: ListVehicles

  private mutating func list(
    _ change: (inout ListVehiclesRequest) -> Void = { _ in }
  ) throws -> [String] {
    var request = ListVehiclesRequest(parent: "providers/p", vehicleTypeCategories: [.auto])
    change(&request)
    let response = try fleet.call(VehicleServiceMethods.listVehicles, request)
    return response.vehicles.map { String($0.name.split(separator: "/")[3]) }
  }

  @Test mutating func listsFilter() throws {
    try create("plain")
    try create("taxi") { $0.vehicleType = .init(category: .taxi) }
    try create("small") { $0.maximumCapacity = 1 }
    try create("exclusive") { $0.supportedTripTypes = [.exclusive] }
    try create("offline") { $0.vehicleState = .offline }
    try create("east", at: 10)
    try create("silent", at: nil)
    try create("eco") {
      $0.attributes = [.init(key: "class", value: "eco"), .init(key: "n", value: "1")]
    }
    try fleet.createTrip("t1") { $0.vehicleId = "plain" }
    let all = ["east", "eco", "exclusive", "offline", "plain", "silent", "small"]
    #expect(try list() == all)
    #expect(try list { $0.vehicleTypeCategories = [.taxi] } == ["taxi"])
    #expect(try list { $0.minimumCapacity = 2 } == all.filter { $0 != "small" })
    #expect(try list { $0.tripTypes = [.shared] } == all.filter { $0 != "exclusive" })
    #expect(try list { $0.vehicleState = .offline } == ["offline"])
    #expect(try list { $0.onTripOnly = true } == ["plain"])
    #expect(
      try list {
        $0.viewport = Viewport(
          low: LatLng(latitude: -1, longitude: 9), high: LatLng(latitude: 1, longitude: 11))
      } == ["east"])
    #expect(try list { $0.filter = "attributes.class = eco" } == ["eco"])
    #expect(try list { $0.requiredAttributes = ["class:eco"] } == ["eco"])
    #expect(try list { $0.requiredAttributes = ["class:eco", "n:2"] } == [])
    #expect(try list { $0.requiredOneOfAttributes = ["class:lux|class:eco"] } == ["eco"])
    #expect(try list { $0.requiredOneOfAttributes = ["class:eco", "n:2|n:3"] } == [])
    #expect(
      try list { $0.requiredOneOfAttributeSets = ["class:lux|n:1", "class:eco|n:1"] } == ["eco"])
    #expect(try list { $0.requiredOneOfAttributeSets = ["class:eco|n:2"] } == [])
    fleet.advance(60)
    try fleet.updateVehicle("east", "last_location") {
      $0.lastLocation = VehicleLocation(location: .equator(10))
    }
    #expect(try list { $0.maximumStaleness = WireDuration(.seconds(59)) } == ["east"])
    #expect(
      try list { $0.maximumStaleness = WireDuration(.seconds(60)) }
        == all.filter { $0 != "silent" })
  }

  private static let invalidLists: [(String, @Sendable (inout ListVehiclesRequest) -> Void)] = [
    ("parent", { $0.parent = "providers/p/vehicles" }),
    ("vehicle_type_categories", { $0.vehicleTypeCategories = [] }),
    ("vehicle_type_categories", { $0.vehicleTypeCategories = [.auto, .unknown] }),
    ("vehicle_type_categories", { $0.vehicleTypeCategories = [.init(rawValue: 99)] }),
    ("trip_types", { $0.tripTypes = [.init(rawValue: 99)] }),
    ("vehicle_state", { $0.vehicleState = .init(rawValue: 99) }),
    ("minimum_capacity", { $0.minimumCapacity = -1 }),
    ("maximum_staleness", { $0.maximumStaleness = WireDuration(.zero) }),
    ("page_size", { $0.pageSize = -1 }),
    ("required_attributes", { $0.requiredAttributes = ["eco"] }),
    ("required_attributes", { $0.requiredAttributes = Array(repeating: "a:b", count: 51) }),
    (
      "filter",
      {
        $0.filter = "attributes.a = b"
        $0.requiredAttributes = ["a:b"]
      }
    ),
    ("filter", { $0.filter = "vehicle_state = ONLINE" }),
  ]

  @Test(arguments: invalidLists)
  mutating func listsNameTheInvalidField(
    _ field: String, _ change: @Sendable (inout ListVehiclesRequest) -> Void
  ) throws {
    var request = ListVehiclesRequest(parent: "providers/p", vehicleTypeCategories: [.auto])
    change(&request)
    #expect(try fleet.failure(VehicleServiceMethods.listVehicles, request).fields == [field])
  }

  @Test mutating func listsHavePages() throws {
    for number in 0..<5 { try create("v\(number)") }
    var request = ListVehiclesRequest(
      parent: "providers/p", pageSize: 2, vehicleTypeCategories: [.auto])
    var pages: [Int] = []
    repeat {
      let response = try fleet.call(VehicleServiceMethods.listVehicles, request)
      #expect(response.totalSize == 5)
      pages.append(response.vehicles.count)
      request.pageToken = response.nextPageToken
    } while !request.pageToken.isEmpty
    #expect(pages == [2, 2, 1])
  }

  @Test mutating func pagesHaveAtMost1000Resources() throws {
    for number in 0...1000 { try create("v\(number)") }
    #expect(try list { $0.pageSize = .max }.count == 1000)
    #expect(try list { $0.pageSize = 0 }.count == 100)
  }

  // MARK: SearchVehicles

  private static func search(
    _ change: (inout SearchVehiclesRequest) -> Void = { _ in }
  ) -> SearchVehiclesRequest {
    var request = SearchVehiclesRequest(
      parent: "providers/p", pickupPoint: .at(0, 0), dropoffPoint: .at(0, 0.1),
      pickupRadiusMeters: 1000, count: 50, minimumCapacity: 1, tripTypes: [.exclusive],
      vehicleTypes: [.init(category: .auto)], orderBy: .pickupPointStraightDistance)
    change(&request)
    return request
  }

  private mutating func search(
    _ change: (inout SearchVehiclesRequest) -> Void = { _ in }
  ) throws -> [String] {
    try fleet.call(VehicleServiceMethods.searchVehicles, Self.search(change)).matches
      .compactMap { $0.vehicle?.name.split(separator: "/").last.map(String.init) }
  }

  @Test mutating func searchesMatchVehicles() throws {
    try create("a", at: 0.001)
    try create("far", at: 0.01)
    try create("taxi") { $0.vehicleType = .init(category: .taxi) }
    try create("small") { $0.maximumCapacity = 1 }
    try create("exclusive") { $0.supportedTripTypes = [.exclusive] }
    try create("offline") { $0.vehicleState = .offline }
    try create("silent", at: nil)
    try create("eco", at: 0.002) { $0.attributes = [.init(key: "class", value: "eco")] }
    #expect(try search() == ["exclusive", "small", "a", "eco"])
    #expect(try search { $0.pickupRadiusMeters = 10_000 }.last == "far")
    #expect(try search { $0.pickupRadiusMeters = 400 }.last == "eco")
    #expect(try search { $0.count = 2 } == ["exclusive", "small"])
    #expect(try search { $0.minimumCapacity = 2 } == ["exclusive", "a", "eco"])
    #expect(try search { $0.vehicleTypes.append(.init(category: .taxi)) }.count == 5)
    #expect(
      try search {
        $0.tripTypes = [.shared]
        $0.currentTripsPresent = .noneValue
      } == ["small", "a", "eco"])
    let eco = VehicleAttribute(key: "class", vehicleAttributeValue: .stringValue("eco"))
    #expect(try search { $0.requiredAttributes = [eco] } == ["eco"])
    #expect(try search { $0.requiredOneOfAttributes = [.init(attributes: [eco])] } == ["eco"])
    #expect(try search { $0.requiredOneOfAttributeSets = [.init(attributes: [eco])] } == ["eco"])
    #expect(try search { $0.filter = "attributes.class = \"eco\"" } == ["eco"])
  }

  @Test mutating func aLocationIsCurrentForFiveMinutes() throws {
    try create("a")
    fleet.advance(300)
    #expect(try search() == ["a"])
    #expect(try search { $0.maximumStaleness = WireDuration(.seconds(299)) } == [])
    fleet.advance(1)
    #expect(try search() == [])
    #expect(try search { $0.maximumStaleness = WireDuration(.seconds(301)) } == ["a"])
  }

  @Test mutating func tripsExcludeAVehicle() throws {
    try create("a") { $0.backToBackEnabled = true }
    try create("b")
    for id in ["a", "b"] {
      try fleet.createTrip("t\(id)") {
        $0.vehicleId = id
        $0.tripType = .shared
      }
    }
    let backToBack: (inout SearchVehiclesRequest) -> Void = { $0.includeBackToBack = true }
    #expect(try search() == [])
    #expect(try search(backToBack) == [])
    for id in ["a", "b"] { try fleet.go("t\(id)", .enrouteToDropoff) }
    #expect(try search() == [])
    #expect(try search(backToBack) == ["a"])
    #expect(try search { $0.currentTripsPresent = .noneValue } == [])
    #expect(try search { $0.currentTripsPresent = .any } == ["a", "b"])
    // At most 5 trips and 10 stops.
    for number in 1...4 {
      try fleet.createTrip("n\(number)") {
        $0.vehicleId = "a"
        $0.tripType = .shared
      }
    }
    #expect(try search { $0.currentTripsPresent = .any } == ["a", "b"])
    try fleet.createTrip("n5") {
      $0.vehicleId = "a"
      $0.tripType = .shared
      $0.dropoffPoint = nil
    }
    #expect(try search { $0.currentTripsPresent = .any } == ["b"])
  }

  @Test mutating func passengersTakeSeats() throws {
    try create("a")
    func seats(_ count: Int32) throws -> [VehicleMatch] {
      let request = Self.search {
        $0.tripTypes = [.shared]
        $0.currentTripsPresent = .any
        $0.minimumCapacity = count
      }
      return try fleet.call(VehicleServiceMethods.searchVehicles, request).matches
    }
    #expect(try seats(4).map(\.vehicleMatchType) == [.exclusive])
    for (id, type, passengers) in [("s", TripType.shared, Int32(3)), ("e", .exclusive, 4)] {
      try fleet.createTrip(id) {
        $0.vehicleId = "a"
        $0.tripType = type
        $0.numberOfPassengers = passengers
      }
      // A shared trip begins after the exclusive one, not after the shared one.
      #expect(
        try seats(1).map(\.vehicleMatchType) == [id == "s" ? .carpool : .carpoolBackToBack])
      #expect(try seats(2) == [])
    }
    #expect(
      try search {
        $0.minimumCapacity = 4
        $0.currentTripsPresent = .any
      } == ["a"])
    try fleet.go("s", .canceled)
    #expect(try seats(4).count == 1)
  }

  private static let invalidSearches: [(String, @Sendable (inout SearchVehiclesRequest) -> Void)] =
    [
      ("parent", { $0.parent = "" }), ("pickup_point", { $0.pickupPoint = nil }),
      ("pickup_point.point", { $0.pickupPoint = .at(91, 0) }),
      ("dropoff_point.point", { $0.dropoffPoint = .at(91, 0) }),
      ("pickup_radius_meters", { $0.pickupRadiusMeters = 399 }),
      ("pickup_radius_meters", { $0.pickupRadiusMeters = 10_001 }),
      ("count", { $0.count = 0 }), ("count", { $0.count = 51 }),
      ("minimum_capacity", { $0.minimumCapacity = 0 }),
      ("trip_types", { $0.tripTypes = [] }), ("trip_types", { $0.tripTypes = [.unknown] }),
      ("vehicle_types", { $0.vehicleTypes = [] }),
      ("vehicle_types", { $0.vehicleTypes = [.init()] }),
      ("trip_types", { $0.tripTypes = [.init(rawValue: 99)] }),
      ("vehicle_types", { $0.vehicleTypes = [.init(category: .init(rawValue: 99))] }),
      ("order_by", { $0.orderBy = .unknown }), ("order_by", { $0.orderBy = .init(rawValue: 6) }),
      ("current_trips_present", { $0.currentTripsPresent = .init(rawValue: 3) }),
      ("trip_id", { $0.tripId = "a/b" }),
      (
        "dropoff_point",
        {
          $0.orderBy = .dropoffPointEta
          $0.dropoffPoint = nil
        }
      ),
      (
        "dropoff_point",
        {
          $0.tripTypes = [.shared]
          $0.currentTripsPresent = .any
          $0.dropoffPoint = nil
        }
      ),
      ("current_trips_present", { $0.tripTypes = [.shared] }),
      (
        "include_back_to_back",
        {
          $0.includeBackToBack = true
          $0.currentTripsPresent = .any
        }
      ),
      ("maximum_staleness", { $0.maximumStaleness = WireDuration(.seconds(-1)) }),
      ("filter", { $0.filter = "attributes.a" }),
      (
        "filter",
        {
          $0.filter = "attributes.a = b"
          $0.requiredOneOfAttributes = [.init(attributes: [.init(key: "a")])]
        }
      ),
    ]

  @Test(arguments: invalidSearches)
  mutating func searchesNameTheInvalidField(
    _ field: String, _ change: @Sendable (inout SearchVehiclesRequest) -> Void
  ) throws {
    let error = try fleet.failure(VehicleServiceMethods.searchVehicles, Self.search(change))
    #expect(error.fields == [field])
  }

  @Test mutating func aMatchHasEstimates() throws {
    try create("a", at: 0.004)
    let match = try #require(
      try fleet.call(VehicleServiceMethods.searchVehicles, Self.search()).matches.first)
    #expect(match.vehicle?.name == "providers/p/vehicles/a")
    #expect(match.vehicleMatchType == .exclusive)
    #expect(match.tripType == .exclusive)
    #expect(match.requestedOrderedBy == .pickupPointStraightDistance)
    // 0.004° are 444.8 m, 55.6 s at 8 m/s.
    #expect(match.vehiclePickupStraightLineDistanceMeters == 445)
    #expect(match.vehiclePickupDistanceMeters == 445)
    let pickup = try #require(match.vehiclePickupEta) - fleet.now
    #expect(Duration.seconds(55)...(.seconds(56)) ~= pickup)
    #expect(match.vehiclePickupToDropoffDistanceMeters == 11_120)
    let dropoff = try #require(match.vehicleDropoffEta) - fleet.now
    #expect(Duration.seconds(1445)...(.seconds(1446)) ~= dropoff)
    #expect(match.vehicleTripsWaypoints.map(\.latLng) == [.equator(0.004), .equator(0)])
  }

  @Test mutating func estimatesIncludeThePresentTrip() throws {
    try create("a") { $0.backToBackEnabled = true }
    try fleet.createTrip("t1") {
      $0.vehicleId = "a"
      $0.pickupPoint = .at(0, 0)
      $0.dropoffPoint = .at(0, 0.01)
    }
    try fleet.go("t1", .enrouteToDropoff)
    let request = Self.search { $0.includeBackToBack = true }
    let straight = try #require(
      try fleet.call(VehicleServiceMethods.searchVehicles, request).matches.first)
    #expect(straight.vehicleMatchType == .backToBack)
    #expect(straight.vehiclePickupStraightLineDistanceMeters == 0)
    // There and back.
    #expect(straight.vehiclePickupDistanceMeters == 2224)
    try fleet.drive("a", [.equator(0), .equator(0.01)], seconds: 600, meters: 2000)
    let reported = try #require(
      try fleet.call(VehicleServiceMethods.searchVehicles, request).matches.first)
    #expect(reported.vehiclePickupDistanceMeters == 3112)
    let eta = try #require(reported.vehiclePickupEta) - fleet.now
    #expect(Duration.seconds(738)...(.seconds(740)) ~= eta)
    #expect(reported.vehicleTripsWaypoints.count == 3)
  }

  @Test mutating func matchesAreInTheRequestedOrder() throws {
    try create("near") { $0.backToBackEnabled = true }
    try create("far", at: 0.005)
    try create("middle", at: 0.003)
    try create("also", at: 0.003)
    try fleet.createTrip("t1") {
      $0.vehicleId = "near"
      $0.pickupPoint = .at(0, 0)
      $0.dropoffPoint = .at(0, 0.01)
    }
    try fleet.go("t1", .enrouteToDropoff)
    func order(_ order: SearchVehiclesRequest.VehicleMatchOrder) throws -> [String] {
      try search {
        $0.orderBy = order
        $0.includeBackToBack = true
      }
    }
    #expect(try order(.pickupPointStraightDistance) == ["near", "also", "middle", "far"])
    for other in [
      SearchVehiclesRequest.VehicleMatchOrder.pickupPointDistance, .pickupPointEta,
      .dropoffPointEta,
    ] {
      #expect(try order(other) == ["also", "middle", "far", "near"])
    }
  }
}
