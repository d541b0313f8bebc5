import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct RouteLengthTests {
  private func point(_ latitude: Double, _ longitude: Double) -> LatLng {
    var point = LatLng()
    point.latitude = latitude
    point.longitude = longitude
    return point
  }

  @Test func lengthFollowsGreatCircles() {
    // A degree of a great circle is 111.195 km.
    #expect(abs(length(of: [point(0, 0), point(0, 1)]) - 111_195) < 1)
    #expect(abs(length(of: [point(0, 0), point(1, 0), point(1, 0), point(0, 0)]) - 222_390) < 2)
    // At 60° a degree of longitude is half as long.
    #expect(abs(length(of: [point(60, 10), point(60, 10.001)]) - 55.6) < 0.1)
    #expect(abs(length(of: [point(0, 179.5), point(0, -179.5)]) - 111_195) < 1)
  }

  @Test func lengthOfOnePointIsZero() {
    #expect(length(of: []) == 0)
    #expect(length(of: [point(1, 1)]) == 0)
  }
}
