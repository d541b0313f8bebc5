import JourneySharing
import Testing
import Tripwire

@Suite struct MapBoundsTests {
  @Test func aroundAllPoints() {
    let bounds = MapBounds([LatLng(1, 5), LatLng(-2, 7), LatLng(3, -4)])
    #expect(bounds == MapBounds(southwest: LatLng(-2, -4), northeast: LatLng(3, 7)))
    #expect(MapBounds([]) == nil)
    #expect(MapBounds([LatLng(.nan, 1)]) == nil)
    let one = MapBounds([LatLng(1, 5)])
    #expect(one == MapBounds(southwest: LatLng(1, 5), northeast: LatLng(1, 5)))
  }

  @Test func overTheAntimeridianTheShorterWay() {
    let bounds = MapBounds([LatLng(0, 179), LatLng(1, -178), LatLng(0.5, 177)])
    #expect(bounds == MapBounds(southwest: LatLng(0, 177), northeast: LatLng(1, -178)))
  }
}
