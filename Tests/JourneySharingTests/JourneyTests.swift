import JourneySharing
import Testing
import Tripwire

@Suite struct JourneyTests {
  private func kinds(_ status: TripStatus, index: Int32 = 0) -> [Journey.Marker.Kind] {
    var trip = SampleTrip.trip(status)
    trip.intermediateDestinationIndex = index
    return Journey(trip).markers.map(\.kind)
  }

  @Test(
    arguments: [.unknown, .new, .enrouteToPickup, .arrivedAtPickup, .unrecognized(99)]
      as [TripStatus])
  func allStopsAreShownBeforeThePickup(status: TripStatus) {
    #expect(
      kinds(status)
        == [.pickup, .intermediateDestination, .intermediateDestination, .dropoff, .vehicle])
    let journey = Journey(SampleTrip.trip(status))
    #expect(journey.polylines.map(\.kind) == [.remainingRoute, .activeRoute])
    #expect(journey.markers.compactMap(\.index) == [0, 1])
    #expect(journey.status == status)
  }

  @Test func passedStopsAreNotShown() {
    let both: [TripStatus] = [
      .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination,
    ]
    for status in both {
      #expect(
        kinds(status)
          == [.intermediateDestination, .intermediateDestination, .dropoff, .vehicle])
      #expect(kinds(status, index: 1) == [.intermediateDestination, .dropoff, .vehicle])
      #expect(kinds(status, index: 9) == [.dropoff, .vehicle])
      #expect(kinds(status, index: -1).count == 4)
    }
    #expect(kinds(.enrouteToDropoff) == [.dropoff, .vehicle])
    #expect(!Journey(SampleTrip.trip(.enrouteToDropoff)).polylines.isEmpty)
    #expect(kinds(.complete) == [.dropoff, .vehicle])
    #expect(Journey(SampleTrip.trip(.complete)).polylines.isEmpty)
    let canceled = Journey(SampleTrip.trip(.canceled))
    #expect(canceled.markers.isEmpty)
    #expect(canceled.polylines.isEmpty)
    #expect(canceled.camera == nil)
  }

  @Test func stopsOfOtherTripsAreNotShown() {
    let places = Journey(SampleTrip.trip(.enrouteToPickup)).markers.map(\.position)
    #expect(!places.contains(LatLng(0, 0.01)))
  }

  @Test func routesComeFromTheTrip() {
    let journey = Journey(SampleTrip.trip(.enrouteToPickup))
    #expect(journey.polylines[0].points == [LatLng(0, 0.02), LatLng(0, 0.05), LatLng(0.01, 0.05)])
    #expect(journey.polylines[1].points == [LatLng(0, 0), LatLng(0, 0.01), LatLng(0, 0.02)])
    #expect(journey.polylines.allSatisfy { $0.speed == nil })
  }

  @Test func undecodableRouteIsNotShown() {
    var trip = SampleTrip.trip(.enrouteToDropoff)
    trip.route = []
    trip.currentRouteSegment = "A!"
    trip.remainingWaypoints = []
    #expect(Journey(trip).polylines.isEmpty)
    #expect(Journey(trip).polylineError?.reason == .notBase64)
    trip.currentRouteSegment = ""
    #expect(Journey(trip).polylineError == nil)
    trip.currentRouteSegmentTraffic = ConsumableTrafficPolyline(encodedPathToWaypoint: "A!")
    #expect(Journey(trip).polylineError?.reason == .notBase64)
    trip.tripStatus = .complete
    #expect(Journey(trip).polylineError == nil)
  }

  @Test func undecodableRouteOfAVehicleIsNotShown() {
    let valid = TripWaypoint(pathToWaypoint: [LatLng(0, 0), LatLng(0, 1)])
    let invalid = TripWaypoint(encodedPathToWaypoint: "A!")
    let journey = Journey(Vehicle(currentRouteSegment: "A!", waypoints: [valid, invalid, valid]))
    #expect(journey.polylines.map(\.kind) == [.remainingRoute, .activeRoute])
    #expect(journey.polylineError?.reason == .notBase64)
  }

  @Test func invalidCoordinatesAreNotShown() {
    var trip = SampleTrip.trip(.enrouteToDropoff)
    trip.dropoffPoint = TerminalLocation(at: LatLng(.nan, 0))
    trip.lastLocation?.location = LatLng(91, 0)
    trip.route = [LatLng(0, 0), LatLng(0, .infinity), LatLng(0, 0.01)]
    trip.remainingWaypoints = []
    let journey = Journey(trip)
    #expect(journey.markers.isEmpty)
    #expect(journey.polylines.map(\.points) == [[LatLng(0, 0), LatLng(0, 0.01)]])
    trip.route = [LatLng(0, 0), LatLng(0, .infinity)]
    #expect(Journey(trip).polylines.isEmpty)
  }

  // MARK: Traffic

  private func withTraffic(_ intervals: [SpeedReadingInterval]) -> Trip {
    var trip = SampleTrip.trip(.enrouteToDropoff)
    trip.remainingWaypoints = []
    trip.route = (0..<6).map { LatLng(0, Double($0)) }
    trip.currentRouteSegmentTraffic = ConsumableTrafficPolyline(speedReadingInterval: intervals)
    return trip
  }

  @Test func trafficIsDrawnAboveTheRoute() {
    let trip = withTraffic([
      SampleTrip.interval(0, 2, .normal), SampleTrip.interval(2, 4, .trafficJam),
      SampleTrip.interval(5, 6, .slow),
    ])
    let lines = Journey(trip).polylines
    #expect(lines.map(\.speed) == [nil, .normal, .trafficJam])
    // Up to the start of the next span, where that is known.
    #expect(lines[1].points.map(\.longitude) == [0, 1, 2])
    #expect(lines[2].points.map(\.longitude) == [2, 3])
    #expect(lines.map(\.style.color) == [.blue, .green, .red])

    var style = JourneyStyle()
    style.activeRoute.trafficColors = [.trafficJam: .black]
    #expect(Journey(trip, style: style).polylines.map(\.style.color) == [.blue, .blue, .black])
    style.activeRoute.isTrafficEnabled = false
    #expect(Journey(trip, style: style).polylines.map(\.speed) == [nil])
  }

  // MARK: Style

  @Test func elementsAreSortedByZIndex() {
    var style = JourneyStyle()
    style.remainingRoute.zIndex = 11
    style.pickup.zIndex = 5
    style.vehicle.zIndex = -1
    let journey = Journey(SampleTrip.trip(.new), style: style)
    #expect(journey.polylines.map(\.kind) == [.activeRoute, .remainingRoute])
    #expect(journey.markers.first?.kind == .vehicle)
    #expect(journey.markers.last?.kind == .pickup)
  }

  @Test func invisibleElementsAreLeftOut() {
    var style = JourneyStyle()
    for kind in Journey.Polyline.Kind.allCases { style[kind].isVisible = false }
    for kind in Journey.Marker.Kind.allCases { style[kind].isVisible = false }
    let journey = Journey(SampleTrip.trip(.enrouteToPickup), style: style)
    #expect(journey.polylines.isEmpty)
    #expect(journey.markers.isEmpty)
    // The camera still includes it.
    #expect(journey.camera == Journey(SampleTrip.trip(.enrouteToPickup)).camera)
  }

  // MARK: The vehicle

  @Test func snappableVehicleIsSnappedToTheRoute() throws {
    var trip = SampleTrip.trip(.enrouteToPickup)
    var vehicle = try #require(Journey(trip).markers.last)
    #expect(vehicle.position == LatLng(0.0001, 0.005))
    #expect(!vehicle.isSnapped)
    #expect(vehicle.heading == nil)

    trip.lastLocationSnappable = true
    vehicle = try #require(Journey(trip).markers.last)
    #expect(vehicle.isSnapped)
    #expect(abs(vehicle.position.latitude) < 1e-12)
    #expect(abs(vehicle.position.longitude - 0.005) < 1e-9)
    #expect(vehicle.heading == 90)
    trip.lastLocation?.heading = 271
    #expect(Journey(trip).markers.last?.heading == 271)

    trip.route = []
    trip.remainingWaypoints = []
    vehicle = try #require(Journey(trip).markers.last)
    #expect(!vehicle.isSnapped)
    #expect(vehicle.position == LatLng(0.0001, 0.005))
  }

  // MARK: The camera

  @Test func cameraShowsTheRouteToTheNextStop() {
    let camera = Journey(SampleTrip.trip(.enrouteToPickup)).camera
    #expect(
      camera == MapBounds(southwest: LatLng(0, 0), northeast: LatLng(0.0001, 0.02)))
    var trip = SampleTrip.trip(.complete)
    trip.remainingWaypoints = []
    #expect(
      Journey(trip).camera
        == MapBounds(southwest: LatLng(0.0001, 0.005), northeast: LatLng(0.01, 0.05)))
  }

  @Test func cameraShowsTheStopsWithoutAVehicle() {
    var trip = SampleTrip.trip(.new)
    trip.lastLocation = nil
    trip.route = []
    trip.remainingWaypoints = []
    #expect(
      Journey(trip).camera
        == MapBounds(southwest: LatLng(0, 0.02), northeast: LatLng(0.01, 0.05)))
    #expect(Journey(Trip()).camera == nil)
  }
}
