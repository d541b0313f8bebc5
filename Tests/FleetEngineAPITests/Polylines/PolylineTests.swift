import Testing

@testable import FleetEngineAPI

@Suite struct PolylineTests {
  @Test(arguments: S2PolylineTests.samples) func decodesS2Polylines(_ vector: PolylineVector) throws
  {
    #expect(try Polyline.decode(vector.text) == S2Polyline.decode(vector.text))
  }

  @Test func decodesEncodedPolylines() throws {
    for vector in try PolylineVector.encoded() where vector.decimals == 5 {
      #expect(try Polyline.decode(vector.text) == vector.points)
    }
  }

  @Test func doesNotTryTheOtherFormat() {
    // As an encoded polyline, this would be one point.
    #expect(throws: PolylineError(.unknownVersion(3), .byte(0))) { try Polyline.decode("AwA") }
    #expect(throws: PolylineError(.truncated, .byte(2))) { try Polyline.decode("AhY") }
    #expect(throws: PolylineError(.truncated, .character(1))) { try Polyline.decode("B") }
  }

  @Test func messagesDecodeTheirPolylines() throws {
    let (text, count) = (S2PolylineTests.fleetEngine, 5)
    #expect(try Trip(currentRouteSegment: text).currentRouteSegmentPoints().count == count)
    #expect(try Vehicle(currentRouteSegment: text).currentRouteSegmentPoints().count == count)
    #expect(
      try TripWaypoint(encodedPathToWaypoint: text).encodedPathToWaypointPoints().count == count)
    #expect(
      try ConsumableTrafficPolyline(encodedPathToWaypoint: text).encodedPathToWaypointPoints().count
        == count)
    #expect(try Trip().currentRouteSegmentPoints() == [])
  }
}
