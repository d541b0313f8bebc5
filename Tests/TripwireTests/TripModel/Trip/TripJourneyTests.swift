import FleetEngineAPI
import Testing

@testable import Tripwire

@Suite struct TripJourneyTests {
  private func point(_ latitude: Double) -> LatLng { LatLng(latitude: latitude, longitude: 0) }

  private func stop(
    _ tripID: String, path: [Double] = [], meters: Int32? = nil, eta: Int64? = nil
  ) -> TripWaypoint {
    TripWaypoint(
      tripId: tripID, pathToWaypoint: path.map(point), distanceMeters: meters,
      eta: eta.map { Timestamp(seconds: $0) })
  }

  /// The vehicle drives to another trip's stop, then to two of this trip's, then on for the other.
  private var trip: Trip {
    Trip(
      name: "providers/p/trips/mine",
      remainingWaypoints: [
        stop("other", eta: 101), stop("mine", path: [1, 2], meters: 20, eta: 200),
        stop("other", path: [2, 3], meters: 30), stop("mine", path: [3, 4], meters: 40),
        stop("other", path: [4, 5], meters: 50),
      ], route: [0, 1].map(point), remainingDistanceMeters: 10,
      etaToFirstWaypoint: Timestamp(seconds: 100))
  }

  @Test func activeRouteIncludesStopsOfOtherTrips() throws {
    #expect(try trip.activeRoute.points() == [0, 1, 2].map(point))
    #expect(trip.remainingDistanceOfActiveRoute == 30)
    #expect(trip.etaToNextWaypoint?.seconds == 200)
    #expect(trip.nextWaypoint?.tripId == "other")
    #expect(trip.nextTripWaypoint?.eta?.seconds == 200)
  }

  @Test func remainingRouteEndsWithTheTrip() throws {
    #expect(try trip.remainingRoute.points() == [2, 3, 4].map(point))
    #expect(trip.distanceOfRemainingRoute == 70)
  }

  @Test func fieldsOfTheTripApplyToItsOwnNextStop() throws {
    var trip = trip
    trip.remainingWaypoints.removeFirst()
    #expect(try trip.activeRoute.points() == [0, 1].map(point))
    #expect(trip.remainingDistanceOfActiveRoute == 10)
    #expect(trip.etaToNextWaypoint?.seconds == 100)
  }

  /// For example when the vehicle comes later, or has dropped this rider off already.
  @Test func routeToStopsOfOtherTripsIsIgnored() throws {
    var trip = trip
    trip.currentRouteSegmentTraffic = traffic([(0, 2, .slow)])
    trip.remainingWaypoints = [stop("other", path: [0, 1], meters: 10, eta: 101)]
    #expect(trip.activeRoute.isEmpty)
    #expect(trip.remainingDistanceOfActiveRoute == nil)
    #expect(trip.etaToNextWaypoint == nil)
    #expect(try trip.activeRouteTraffic() == nil)
    #expect(trip.nextWaypoint?.tripId == "other")
    #expect(trip.nextTripWaypoint == nil)
    #expect(trip.distanceOfRemainingRoute == nil)
  }

  @Test func fieldsOfTheTripApplyToStopsWithoutATripID() throws {
    for stops in [[], [stop("", eta: 101)]] {
      var trip = trip
      trip.remainingWaypoints = stops
      #expect(try trip.activeRoute.points() == [0, 1].map(point))
      #expect(trip.remainingDistanceOfActiveRoute == 10)
      #expect(trip.etaToNextWaypoint?.seconds == 100)
    }
  }

  @Test func nothingRemainsAtTheLastStop() throws {
    var trip = trip
    trip.remainingWaypoints = [stop("mine")]
    #expect(trip.remainingRoute.isEmpty)
    #expect(trip.distanceOfRemainingRoute == 0)
  }

  @Test func unknownValuesAreNil() {
    let trip = Trip()
    #expect(trip.remainingDistanceOfActiveRoute == nil)
    #expect(trip.distanceOfRemainingRoute == nil)
    #expect(trip.etaToNextWaypoint == nil)
    #expect(trip.nextTripWaypoint == nil)
    #expect(trip.activeRoute.isEmpty)
    var other = self.trip
    other.remainingWaypoints[1].distanceMeters = nil
    #expect(other.remainingDistanceOfActiveRoute == nil)
    other.remainingWaypoints[1].distanceMeters = .max
    #expect(other.remainingDistanceOfActiveRoute == nil)
  }

  @Test func serverViewHasEverythingInTheFirstStop() throws {
    var trip = trip
    trip.route = []
    trip.remainingDistanceMeters = nil
    trip.etaToFirstWaypoint = nil
    trip.remainingWaypoints = [stop("mine", path: [7, 8], meters: 5, eta: 9)]
    #expect(try trip.activeRoute.points() == [7, 8].map(point))
    #expect(trip.remainingDistanceOfActiveRoute == 5)
    #expect(trip.etaToNextWaypoint?.seconds == 9)
  }

  @Test func encodedRouteIsDecoded() throws {
    var trip = Trip(currentRouteSegment: "AhYCECPlXZ6GAJABAA==")
    #expect(try trip.activeRoute.points().count == 2)
    trip.currentRouteSegment = "A???"
    #expect(throws: PolylineError.self) { try trip.activeRoute.points() }
  }

  private func traffic(_ spans: [(Int32, Int32, SpeedReadingInterval.Speed)])
    -> ConsumableTrafficPolyline
  {
    ConsumableTrafficPolyline(
      speedReadingInterval: spans.map { start, end, speed in
        SpeedReadingInterval(
          startPolylinePointIndex: start, endPolylinePointIndex: end, speed: speed)
      })
  }

  @Test func trafficOfSeveralPiecesIsJoined() throws {
    var trip = trip
    trip.currentRouteSegmentTraffic = traffic([(0, 1, .slow), (1, 2, .normal)])
    trip.remainingWaypoints[1].trafficToWaypoint = traffic([(0, 2, .trafficJam)])
    let joined = try #require(try trip.activeRouteTraffic())
    #expect(joined.path == [0, 1, 1, 2].map(point))
    #expect(
      joined.spans == [
        .init(speed: .slow, range: 0..<1), .init(speed: .normal, range: 1..<2),
        .init(speed: .trafficJam, range: 2..<4),
      ])
    #expect(try trip.remainingRouteTraffic() == nil)
  }

  @Test(arguments: [
    [(Int32(-3), Int32(9), SpeedReadingInterval.Speed.slow)],
    [(0, 2, .slow), (0, 2, .normal), (1, 1, .slow), (2, 1, .slow), (.max, .min, .slow)],
  ])
  func trafficBeyondTheRouteIsDropped(
    spans: [(Int32, Int32, SpeedReadingInterval.Speed)]
  ) throws {
    var trip = trip
    trip.currentRouteSegmentTraffic = traffic(spans)
    #expect(try trip.activeRouteTraffic()?.spans == [.init(speed: .slow, range: 0..<2)])
  }

  @Test func changesAreDetected() {
    let before = trip
    var after = before
    #expect(TripPropertyFields.differences(between: before, and: after) == [])
    after.remainingWaypoints.removeFirst()
    #expect(
      TripPropertyFields.differences(between: before, and: after) == [
        .remainingWaypoints, .remainingDistanceOfActiveRoute, .activeRoute, .etaToNextWaypoint,
      ])
    after = before
    after.tripStatus = .complete
    after.pickupTime = Timestamp(seconds: 1)
    #expect(
      TripPropertyFields.differences(between: before, and: after) == [.tripStatus, .pickupTime])
    after = before
    after.route.append(point(9))
    #expect(TripPropertyFields.differences(between: before, and: after) == [.activeRoute])
    #expect(
      TripPropertyFields.differences(between: nil, and: before) == [
        .tripName, .remainingWaypoints, .remainingDistanceOfActiveRoute,
        .distanceOfRemainingRoute, .activeRoute, .remainingRoute, .etaToNextWaypoint,
      ])
  }

  @Test func agingLocationIsNoChange() {
    var (before, after) = (trip, trip)
    before.lastLocation = VehicleLocation(timeSinceUpdate: 3)
    after.lastLocation = VehicleLocation(timeSinceUpdate: 8)
    #expect(TripPropertyFields.differences(between: before, and: after) == [])
    after.lastLocation?.heading = 90
    #expect(
      TripPropertyFields.differences(between: before, and: after) == [.lastVehicleLocation])
  }

  @Test func fieldsHaveTheSDKsRawValuesAndNames() {
    #expect(TripPropertyFields.tripStatus.rawValue == 8)
    #expect(TripPropertyFields.remainingRouteTraffic.rawValue == 1 << 18)
    let all = TripPropertyFields(rawValue: (1 << 21) - 1)
    #expect(all.names.count == 21)
    #expect(all.names[13] == "remainingDistanceOfActiveRoute")
    #expect(TripPropertyFields.tripName.description == "[tripName]")
  }
}
