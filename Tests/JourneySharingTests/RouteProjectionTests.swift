import TestSupport
import Testing
import Tripwire
import WireSystem

@testable import JourneySharing

@Suite struct RouteProjectionTests {
  @Test func nearestPlaceIsOnTheNearestSegment() throws {
    let route = [LatLng(60, 10), LatLng(60, 10.02), LatLng(60.01, 10.02)]
    // A degree of longitude is half as long there, so the corner's other leg is nearer.
    let nearest = try #require(RouteProjection(of: LatLng(60.003, 10.016), onto: route))
    #expect(abs(nearest.point.longitude - 10.02) < 1e-9)
    #expect(abs(nearest.point.latitude - 60.003) < 1e-9)
    #expect(nearest.bearing == 0)
    let before = try #require(RouteProjection(of: LatLng(60.0001, 9.99), onto: route))
    #expect(before.point == LatLng(60, 10) || abs(before.point.longitude - 10) < 1e-9)
    #expect(before.bearing == 90)
  }

  @Test func diagonalsAreMeasuredOnTheGround() throws {
    let route = [LatLng(60, 10), LatLng(60.01, 10.02)]
    let nearest = try #require(RouteProjection(of: LatLng(60, 10.02), onto: route))
    // Half-way, because both legs are about equally long.
    #expect(abs(nearest.point.latitude - 60.005) < 1e-5)
    #expect(abs(nearest.bearing - 45) < 0.1)
  }

  @Test func routeCrossesTheAntimeridian() throws {
    let route = [LatLng(0, 179.99), LatLng(0, -179.99)]
    let east = try #require(RouteProjection(of: LatLng(0.001, -179.995), onto: route))
    #expect(abs(east.point.longitude + 179.995) < 1e-9)
    let west = try #require(RouteProjection(of: LatLng(0.001, 179.995), onto: route))
    #expect(abs(west.point.longitude - 179.995) < 1e-9)
    #expect(west.bearing == 90)
  }

  @Test func routeWithoutLengthHasNoNearestPlace() {
    #expect(RouteProjection(of: LatLng(0, 0), onto: []) == nil)
    #expect(RouteProjection(of: LatLng(0, 0), onto: [LatLng(0, 1)]) == nil)
    #expect(RouteProjection(of: LatLng(0, 0), onto: [LatLng(0, 1), LatLng(0, 1)]) == nil)
  }

  @Test func projectionWorksAtThePoles() throws {
    let nearest = try #require(
      RouteProjection(of: LatLng(90, 0), onto: [LatLng(89, 0), LatLng(89.5, 0)]))
    #expect(nearest.point == LatLng(89.5, 0))
  }

  /// The distance on the ground in meters, by the haversine formula.
  private func distance(_ a: LatLng, _ b: LatLng) -> Double {
    let radians = Double.pi / 180
    let (north, east) = ((a.latitude - b.latitude) * radians, (a.longitude - b.longitude) * radians)
    let (half, other) = (sin(north / 2), sin(east / 2))
    let square =
      half * half + cos(a.latitude * radians) * cos(b.latitude * radians) * other * other
    return 2 * 6_371_000 * asin(square.squareRoot())
  }

  @Test(arguments: UInt64(0)..<50)
  func noOtherPlaceOnTheRouteIsNearer(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let latitude = Double.random(in: -70...70, using: &random)
    // Within about two kilometers, across the antimeridian.
    func place() -> LatLng {
      LatLng(
        latitude + .random(in: 0...0.02, using: &random),
        wrapped(179.99 + .random(in: 0...0.02, using: &random)))
    }
    let route = (0...Int.random(in: 1...8, using: &random)).map { _ in place() }
    let vehicle = place()
    let nearest = try #require(RouteProjection(of: vehicle, onto: route))
    let best = distance(vehicle, nearest.point)
    for (start, end) in zip(route, route.dropFirst()) {
      for part in 0...100 {
        let share = Double(part) / 100
        let sample = LatLng(
          start.latitude + (end.latitude - start.latitude) * share,
          wrapped(start.longitude + wrapped(end.longitude - start.longitude) * share))
        // The flat approximation may cost a meter.
        #expect(best <= distance(vehicle, sample) + 1)
      }
    }
  }
}
