import FleetEngineAPI
import Testing

@Suite struct RouteLengthTests {
  private func point(_ latitude: Double, _ longitude: Double) -> LatLng {
    LatLng(latitude: latitude, longitude: longitude)
  }

  @Test func lengthFollowsGreatCircles() throws {
    // A degree of a great circle is 111.195 km.
    #expect(try abs(#require(length(of: [point(0, 0), point(0, 1)])) - 111_195) < 1)
    #expect(
      try abs(#require(length(of: [point(0, 0), point(1, 0), point(1, 0), point(0, 0)])) - 222_390)
        < 2)
    // At 60° a degree of longitude is half as long.
    #expect(try abs(#require(length(of: [point(60, 10), point(60, 10.001)])) - 55.6) < 0.1)
    #expect(try abs(#require(length(of: [point(0, 179.5), point(0, -179.5)])) - 111_195) < 1)
  }

  @Test func lengthOfOnePointIsZero() {
    #expect(length(of: []) == 0)
    #expect(length(of: [point(1, 1)]) == 0)
  }

  @Test(arguments: [(91.0, 8.0), (-90.1, 0), (0, 180.1), (.nan, 0), (0, .infinity)])
  func placeOutOfRangeHasNoDistance(latitude: Double, longitude: Double) {
    #expect(length(of: [point(47, 8), point(latitude, longitude)]) == nil)
  }
}
