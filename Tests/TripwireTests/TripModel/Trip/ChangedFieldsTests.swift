import Testing
import Tripwire
import WireProtobuf

@Suite struct ChangedFieldsTests {
  /// A trip that has every property.
  private static let trip: Trip = {
    Trip(
      name: "providers/p/trips/t", vehicleId: "v", tripStatus: .enrouteToPickup,
      tripType: .exclusive, pickupPoint: place(1), pickupTime: Timestamp(seconds: 1),
      intermediateDestinations: [place(3)], intermediateDestinationIndex: 1, dropoffPoint: place(2),
      dropoffTime: Timestamp(seconds: 2), remainingWaypoints: [stop(5), stop(6)],
      route: [LatLng(latitude: 1, longitude: 1), LatLng(latitude: 2, longitude: 2)],
      currentRouteSegmentTraffic: traffic(.slow), remainingDistanceMeters: 10,
      etaToFirstWaypoint: Timestamp(seconds: 3), numberOfPassengers: 1,
      lastLocation: VehicleLocation())
  }()

  private static func place(_ latitude: Double) -> TerminalLocation {
    TerminalLocation(point: LatLng(latitude: latitude, longitude: 0))
  }

  private static func traffic(
    _ speed: SpeedReadingInterval.Speed
  ) -> ConsumableTrafficPolyline {
    let interval = SpeedReadingInterval(endPolylinePointIndex: 1, speed: speed)
    return ConsumableTrafficPolyline(speedReadingInterval: [interval])
  }

  private static func stop(_ latitude: Double) -> TripWaypoint {
    TripWaypoint(
      location: place(latitude), tripId: "t",
      pathToWaypoint: [
        LatLng(latitude: latitude, longitude: 1), LatLng(latitude: latitude, longitude: 2),
      ], trafficToWaypoint: traffic(.normal), distanceMeters: 7)
  }

  /// A change of each property, and the names of the fields that it changes.
  private static let changes:
    [(property: TripPropertyFields, change: @Sendable (inout Trip) -> Void, fields: [String])] = [
      (.tripName, { $0.name = "providers/q/trips/t" }, ["name"]),
      (.vehicleID, { $0.vehicleId = "" }, ["vehicleId"]),
      (.tripType, { $0.tripType = .shared }, ["tripType"]),
      (.tripStatus, { $0.tripStatus = .arrivedAtPickup }, ["tripStatus"]),
      (.pickupLocation, { $0.pickupPoint = nil }, ["pickupPoint"]),
      (.pickupTime, { $0.pickupTime = nil }, ["pickupTime"]),
      (.dropoffLocation, { $0.dropoffPoint = place(9) }, ["dropoffPoint"]),
      (.dropoffTime, { $0.dropoffTime?.seconds += 1 }, ["dropoffTime"]),
      (.lastVehicleLocation, { $0.lastLocation?.heading = 9 }, ["lastLocation"]),
      (.lastVehicleLocation, { $0.lastLocationSnappable = true }, ["lastLocationSnappable"]),
      (.numberOfPassengers, { $0.numberOfPassengers = 0 }, ["numberOfPassengers"]),
      (
        .remainingWaypoints, { $0.remainingWaypoints[1].eta = Timestamp(seconds: 9) },
        ["remainingWaypoints"]
      ),
      (
        .intermediateDestinations, { $0.intermediateDestinations = [] },
        ["intermediateDestinations"]
      ),
      (
        .intermediateDestinationIndex, { $0.intermediateDestinationIndex = 2 },
        ["intermediateDestinationIndex"]
      ),
      (
        .remainingDistanceOfActiveRoute, { $0.remainingDistanceMeters = 9 },
        ["remainingDistanceMeters"]
      ),
      (
        .distanceOfRemainingRoute, { $0.remainingWaypoints[1].distanceMeters = 9 },
        ["remainingWaypoints"]
      ),
      (.activeRoute, { $0.route.removeLast() }, ["route"]),
      (
        .activeRoute,
        {
          $0.route = []
          $0.currentRouteSegment = "_p~iF~ps|U"
        }, ["route", "currentRouteSegment"]
      ),
      (
        .activeRouteTraffic, { $0.currentRouteSegmentTraffic = traffic(.trafficJam) },
        ["currentRouteSegmentTraffic"]
      ),
      (
        .remainingRoute, { $0.remainingWaypoints[1].pathToWaypoint.removeLast() },
        ["remainingWaypoints"]
      ),
      (
        .remainingRouteTraffic, { $0.remainingWaypoints[1].trafficToWaypoint = traffic(.slow) },
        ["remainingWaypoints"]
      ),
      (.etaToNextWaypoint, { $0.etaToFirstWaypoint = nil }, ["etaToFirstWaypoint"]),
      (
        .otherFields,
        { $0.attributes = [TripAttribute(key: "k", tripAttributeValue: .stringValue("v"))] },
        ["attributes"]
      ),
      (.otherFields, { $0.view = .journeySharingV1s }, ["view"]),
      (.otherFields, { $0.vehicleWaypoints = [stop(7)] }, ["vehicleWaypoints"]),
      (.otherFields, { $0.actualPickupPoint = StopLocation() }, ["actualPickupPoint"]),
      (
        .otherFields, { $0.actualPickupArrivalPoint = StopLocation() },
        ["actualPickupArrivalPoint"]
      ),
      (
        .otherFields, { $0.actualIntermediateDestinations = [StopLocation()] },
        ["actualIntermediateDestinations"]
      ),
      (
        .otherFields, { $0.actualIntermediateDestinationArrivalPoints = [StopLocation()] },
        ["actualIntermediateDestinationArrivalPoints"]
      ),
      (.otherFields, { $0.actualDropoffPoint = StopLocation() }, ["actualDropoffPoint"]),
    ]

  private static func names(from old: Trip, to new: Trip) -> [String] {
    FleetResource.trip(new).changedFields(since: .trip(old))
  }

  @Test(arguments: changes.indices)
  func namesTheFieldsOfAChange(index: Int) {
    let (property, change, fields) = Self.changes[index]
    var changed = Self.trip
    change(&changed)
    let properties = TripPropertyFields.differences(between: Self.trip, and: changed)
    #expect(properties.contains(property))
    #expect(Self.names(from: Self.trip, to: changed) == fields)
  }

  @Test func propertiesAreTheOnlyChange() {
    for (property, change, _) in Self.changes where property == .otherFields {
      var changed = Self.trip
      change(&changed)
      #expect(TripPropertyFields.differences(between: Self.trip, and: changed) == property)
    }
  }

  /// The first stop of the vehicle is that of another trip.
  @Test func fieldOfAPropertyThatDoesNotChangeIsAnotherField() {
    var before = Self.trip
    before.remainingWaypoints[0].tripId = "other"
    var after = before
    after.etaToFirstWaypoint = Timestamp(seconds: 99)
    let properties = TripPropertyFields.differences(between: before, and: after)
    #expect(!properties.isEmpty)
    after = before
    after.lastLocation?.timeSinceUpdate = 99
    #expect(TripPropertyFields.differences(between: before, and: after) == [])
  }

  @Test func everyFieldIsOneOfAProperty() {
    let changed = Set(Self.changes.flatMap(\.fields))
    let times = [
      "remainingTimeToFirstWaypoint", "intermediateDestinationsVersion",
      "currentRouteSegmentVersion", "currentRouteSegmentTrafficVersion",
      "remainingWaypointsVersion", "remainingWaypointsRouteVersion", "currentRouteSegmentEndPoint",
    ]
    #expect(changed.union(times) == Set(Trip.fields.fields.map { "\($0.jsonName)" }))
  }

  @Test func everyPropertyHasFields() {
    let covered = Self.changes.reduce(into: TripPropertyFields()) { $0.insert($1.property) }
    let all = TripPropertyFields(rawValue: .max)
    #expect(covered.names == all.names)
  }

  @Test func namesAreJSONNamesOfATrip() {
    let names = Set(Trip.fields.fields.map { "\($0.jsonName)" })
    let empty = Trip(currentRouteSegment: "_p~iF~ps|U", lastLocationSnappable: true)
    let all = Self.names(from: empty, to: Self.trip)
    #expect(all.count == 19)
    #expect(names.isSuperset(of: all))
  }

  @Test func ignoresFieldsThatCountTime() {
    var later = Self.trip
    later.lastLocation?.timeSinceUpdate = 9
    later.remainingTimeToFirstWaypoint = WireDuration(seconds: 9)
    later.currentRouteSegmentVersion = Timestamp(seconds: 9)
    #expect(Self.names(from: Self.trip, to: later) == [])
  }
}
