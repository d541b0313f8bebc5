import Testing
import Tripwire

@testable import JourneySharing

@Suite struct RouteProjectionTests {
  @Test func theNearestPlaceIsOnTheNearestSegment() throws {
    let route = [LatLng(60, 10), LatLng(60, 10.02), LatLng(60.01, 10.02)]
    // A degree of longitude is half as long there: the corner's other leg is nearer.
    let nearest = try #require(RouteProjection(of: LatLng(60.003, 10.016), onto: route))
    #expect(abs(nearest.point.longitude - 10.02) < 1e-9)
    #expect(abs(nearest.point.latitude - 60.003) < 1e-9)
    #expect(nearest.bearing == 0)
    let before = try #require(RouteProjection(of: LatLng(60.0001, 9.99), onto: route))
    #expect(before.point == LatLng(60, 10) || abs(before.point.longitude - 10) < 1e-9)
    #expect(before.bearing == 90)
  }

  @Test func diagonalsAreTakenAsTheyAreOnTheGround() throws {
    let route = [LatLng(60, 10), LatLng(60.01, 10.02)]
    let nearest = try #require(RouteProjection(of: LatLng(60, 10.02), onto: route))
    // Half-way, as both legs are about as long.
    #expect(abs(nearest.point.latitude - 60.005) < 1e-5)
    #expect(abs(nearest.bearing - 45) < 0.1)
  }

  @Test func theAntimeridianIsNoEdge() throws {
    let route = [LatLng(0, 179.99), LatLng(0, -179.99)]
    let east = try #require(RouteProjection(of: LatLng(0.001, -179.995), onto: route))
    #expect(abs(east.point.longitude + 179.995) < 1e-9)
    let west = try #require(RouteProjection(of: LatLng(0.001, 179.995), onto: route))
    #expect(abs(west.point.longitude - 179.995) < 1e-9)
    #expect(west.bearing == 90)
  }

  @Test func aRouteWithoutLengthHasNone() {
    #expect(RouteProjection(of: LatLng(0, 0), onto: []) == nil)
    #expect(RouteProjection(of: LatLng(0, 0), onto: [LatLng(0, 1)]) == nil)
    #expect(RouteProjection(of: LatLng(0, 0), onto: [LatLng(0, 1), LatLng(0, 1)]) == nil)
  }

  @Test func atThePolesItIsNoWorse() throws {
    let nearest = try #require(
      RouteProjection(of: LatLng(90, 0), onto: [LatLng(89, 0), LatLng(89.5, 0)]))
    #expect(nearest.point == LatLng(89.5, 0))
  }
}
