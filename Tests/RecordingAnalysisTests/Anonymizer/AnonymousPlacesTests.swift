import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct AnonymousPlacesTests {
  private static let points = [
    LatLng(latitude: 48.13721, longitude: 11.57513),
    LatLng(latitude: 48.13842, longitude: 11.57718),
    LatLng(latitude: 48.20012, longitude: 11.60034),
    LatLng(latitude: -89.90123, longitude: 179.90321),
    LatLng(latitude: 0.00001, longitude: -179.99999),
  ]

  @Test func distancesAreKeptAndTheFirstPlaceIsInRange() throws {
    for _ in 0..<200 {
      var places = AnonymousPlaces()
      let moved = Self.points.compactMap { places.move($0) }
      try #require(moved.count == Self.points.count)
      #expect(abs(moved[0].latitude) <= 50.001 && abs(moved[0].longitude) <= 150.001)
      for i in moved.indices {
        for j in moved.indices {
          let before = distance(Self.points[i], Self.points[j])
          #expect(abs(distance(moved[i], moved[j]) - before) < 35)
        }
      }
      let again = places.move(Self.points[2])
      #expect(again == moved[2])
    }
  }

  @Test func invalidPlacesAreNil() {
    var places = AnonymousPlaces()
    let moved = [
      LatLng(latitude: .nan, longitude: 1), LatLng(latitude: 91, longitude: 0), LatLng(),
    ].map { places.move($0) }
    #expect(moved == [nil, nil, LatLng()])
    let line = places.move(polyline: "\u{7f}")
    #expect(line == nil)
    let headings = [places.turn(heading: 7, at: LatLng()), places.turn(heading: 7, at: nil)]
    #expect(headings == [nil, nil])
  }

  @Test(arguments: [Int32.min, -1, 0, 90, 359, .max])
  func headingsStayInRange(heading: Int32) throws {
    var places = AnonymousPlaces()
    let turned = places.turn(heading: heading, at: Self.points[0])
    #expect((0..<360).contains(try #require(turned)))
  }

  @Test func movesPolylinesOfBothFormats() throws {
    let line = Array(Self.points.prefix(3))
    for (text, error) in [
      (try EncodedPolyline.encode(line), 1.5), (try S2Polyline.encode(line), 3),
    ] {
      var places = AnonymousPlaces()
      let result = places.move(polyline: text)
      let moved = try #require(result)
      #expect(moved.utf8.first == text.utf8.first || !text.hasPrefix("A"))
      let points = try Polyline.decode(moved)
      for (point, before) in zip(points, try Polyline.decode(text)) {
        let expected = places.move(before)
        #expect(distance(point, try #require(expected)) < error)
      }
      #expect(points.count == 3)
    }
  }
}
