import JourneySharing
import Testing
import Tripwire
import WireProtobuf

@Suite struct VehicleJourneyTests {
  /// A vehicle on the equator, where 0.01° are 1,112 m.
  private func vehicle(_ more: String = "") throws -> Vehicle {
    var vehicle = try Vehicle(
      jsonString: """
        {"name":"providers/p/vehicles/v1","vehicleState":"ONLINE",
         "lastLocation":{"location":{"latitude":0,"longitude":0},"heading":90,"latlngAccuracy":5},
         "waypoints":[
          {"waypointType":"PICKUP_WAYPOINT_TYPE","tripId":"t1","location":{"point":{"longitude":0.02}},
           "pathToWaypoint":[{"longitude":0},{"longitude":0.02}]},
          {"waypointType":"PICKUP_WAYPOINT_TYPE","tripId":"t2","location":{"point":{"longitude":0.03}},
           "pathToWaypoint":[{"longitude":0.02},{"longitude":0.03}]},
          {"waypointType":"INTERMEDIATE_DESTINATION_WAYPOINT_TYPE","location":{"point":{"latitude":91}}},
          {"waypointType":"DROP_OFF_WAYPOINT_TYPE","tripId":"t1","location":{"point":{"longitude":0.04}},
           "pathToWaypoint":[{"longitude":0.03},{"latitude":0.01,"longitude":0.04}]},
          {"location":{"point":{"longitude":0.05}}}]\(more)}
        """)
    vehicle.currentRouteSegment = try EncodedPolyline.encode(
      [LatLng(0, 0), LatLng(0, 0.01), LatLng(0, 0.02)])
    return vehicle
  }

  @Test func vehicleHasTheStopsOfAllItsTrips() throws {
    let journey = Journey(try vehicle())
    #expect(journey.name == "providers/p/vehicles/v1")
    #expect(
      journey.markers.map(\.kind) == [
        .pickup, .pickup, .dropoff, .intermediateDestination, .vehicle,
      ])
    #expect(journey.markers.map(\.index) == [0, 1, 3, 4, nil])
    let marker = try #require(journey.markers.last)
    #expect(marker.heading == 90)
    #expect(marker.accuracy == 5)
    #expect(!marker.isSnapped)
    let json = journey.geoJSONString()
    #expect(json.contains(#""status":"ONLINE""#))
  }

  @Test(arguments: ["", #""location":{"latitude":91},"#])
  func vehicleWithoutAPlaceIsAtItsRawLocation(location: String) throws {
    let vehicle = try Vehicle(
      jsonString: """
        {"lastLocation":{\(location)"rawLocation":{"latitude":47,"longitude":8},"rawLocationAccuracy":12}}
        """)
    let marker = try #require(Journey(vehicle).markers.last)
    #expect(marker.position == LatLng(47, 8))
    #expect((marker.rawPosition, marker.accuracy) == (nil, 12))
  }

  @Test func routeLeadsThroughAllStops() throws {
    let journey = Journey(try vehicle())
    #expect(journey.polylines.map(\.kind) == [.remainingRoute, .activeRoute])
    #expect(journey.polylines.map(\.points.count) == [4, 3])
    // The camera shows the way to the next stop, not the rest.
    #expect(journey.camera == MapBounds([LatLng(0, 0), LatLng(0, 0.02)]))
    var first = try vehicle()
    first.currentRouteSegment = ""
    #expect(Journey(first).polylines.last?.points == [LatLng(0, 0), LatLng(0, 0.02)])
  }

  @Test func trafficIsMeasuredAlongTheRoute() throws {
    let journey = Journey(
      try vehicle(
        """
        ,"currentRouteSegmentTraffic":{"trafficRendering":{"roadStretch":[
         {"style":"SLOWER_TRAFFIC","offsetMeters":556,"lengthMeters":1112},
         {"style":"STYLE_UNSPECIFIED","offsetMeters":1668,"lengthMeters":5},
         {"style":"TRAFFIC_JAM","offsetMeters":1600,"lengthMeters":500},
         {"style":"TRAFFIC_JAM","offsetMeters":1700,"lengthMeters":-1},
         {"style":"TRAFFIC_JAM","offsetMeters":2000,"lengthMeters":2000000000},
         {"style":"TRAFFIC_JAM","offsetMeters":2147483647,"lengthMeters":1}]}}
        """))
    let spans = journey.polylines.filter { $0.speed != nil }
    #expect(spans.map(\.speed) == [.slow, .trafficJam])
    let longitudes = spans.map { $0.points.map { ($0.longitude * 1e4).rounded() / 1e4 } }
    #expect(longitudes == [[0.005, 0.01, 0.015], [0.018, 0.02]])
  }

  @Test func trafficBeginsAndEndsAtPointsOfTheRoute() throws {
    let journey = Journey(
      try vehicle(
        """
        ,"currentRouteSegmentTraffic":{"trafficRendering":{"roadStretch":[
         {"style":"TRAFFIC_JAM","offsetMeters":0,"lengthMeters":1},
         {"style":"SLOWER_TRAFFIC","offsetMeters":1,"lengthMeters":1},
         {"style":"TRAFFIC_JAM","offsetMeters":3,"lengthMeters":2147483647}]}}
        """))
    let spans = journey.polylines.filter { $0.speed != nil }
    #expect(spans.map(\.points.count) == [2, 2, 3])
    #expect(spans[0].points.first == LatLng(0, 0))
    #expect(spans[0].points.last == spans[1].points.first)
    #expect(spans[2].points.last == LatLng(0, 0.02))
  }

  @Test func trafficWithoutARouteIsNotShown() throws {
    var vehicle = try vehicle(
      """
      ,"currentRouteSegmentTraffic":{"trafficRendering":{"roadStretch":[
       {"style":"TRAFFIC_JAM","offsetMeters":0,"lengthMeters":1}]}}
      """)
    vehicle.waypoints = []
    vehicle.currentRouteSegment = "?"
    let journey = Journey(vehicle)
    #expect(journey.polylines.isEmpty)
    #expect(journey.markers.map(\.kind) == [.vehicle])
    #expect(journey.camera != nil)
    #expect(Journey(Vehicle()).camera == nil)
  }

  @Test func invisiblePartsAreLeftOut() throws {
    var style = JourneyStyle()
    style.vehicle.isVisible = false
    style.remainingRoute.isVisible = false
    style.pickup.zIndex = 9
    let journey = Journey(try vehicle(), style: style)
    #expect(journey.polylines.map(\.kind) == [.activeRoute])
    #expect(journey.markers.map(\.kind).suffix(2) == [.pickup, .pickup])
    #expect(!journey.markers.map(\.kind).contains(.vehicle))
  }
}
