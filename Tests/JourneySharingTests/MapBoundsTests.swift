import JourneySharing
import TestSupport
import Testing
import Tripwire

@Suite struct MapBoundsTests {
  @Test func boundsContainAllPoints() {
    let bounds = MapBounds([LatLng(1, 5), LatLng(-2, 7), LatLng(3, -4)])
    #expect(bounds == MapBounds(southwest: LatLng(-2, -4), northeast: LatLng(3, 7)))
    #expect(MapBounds([]) == nil)
    #expect(MapBounds([LatLng(.nan, 1)]) == nil)
    let one = MapBounds([LatLng(1, 5)])
    #expect(one == MapBounds(southwest: LatLng(1, 5), northeast: LatLng(1, 5)))
  }

  @Test func boundsTakeTheShorterWayAcrossTheAntimeridian() {
    let bounds = MapBounds([LatLng(0, 179), LatLng(1, -178), LatLng(0.5, 177)])
    #expect(bounds == MapBounds(southwest: LatLng(0, 177), northeast: LatLng(1, -178)))
  }

  /// Compares with all areas that start at one of the points and extend east to contain every
  /// other.
  @Test(arguments: UInt64(0)..<50)
  func boundsAreTheSmallestArea(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let longitudes = (0...Int.random(in: 0..<6, using: &random)).map { _ in
      Double(Int.random(in: -180...180, using: &random))
    }
    func east(_ from: Double, _ to: Double) -> Double { to >= from ? to - from : to - from + 360 }
    let bounds = try #require(MapBounds(longitudes.map { LatLng(0, $0) }))
    let width = east(bounds.southwest.longitude, bounds.northeast.longitude)
    for longitude in longitudes { #expect(east(bounds.southwest.longitude, longitude) <= width) }
    let narrowest = longitudes.map { west in
      longitudes.map { east(west, $0) }.max() ?? 0
    }.min()
    #expect(width == narrowest)
  }
}
