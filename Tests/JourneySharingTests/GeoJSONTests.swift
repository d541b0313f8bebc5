import TestSupport
import Testing
import Tripwire
import WireProtobuf

@testable import JourneySharing

@Suite struct GeoJSONTests {
  private func text(_ journey: Journey) -> String {
    journey.geoJSONString()
  }

  /// The parsed JSON.
  private func parsed(_ journey: Journey) throws -> Struct {
    try Struct(jsonUTF8Bytes: journey.geoJSON())
  }

  @Test func tripBecomesAFeatureCollection() throws {
    var trip = SampleTrip.trip(.enrouteToDropoff)
    trip.lastLocation?.heading = 45
    let json = text(Journey(trip))
    #expect(
      json == """
        {"type":"FeatureCollection","name":"providers/p/trips/t1","status":"ENROUTE_TO_DROPOFF",\
        "bbox":[0,0,0.05,0.01],"features":[\
        {"type":"Feature","geometry":{"type":"LineString",\
        "coordinates":[[0.02,0],[0.05,0],[0.05,0.01]]},"properties":{"kind":"remainingRoute",\
        "stroke":"#808080","stroke-width":2,"stroke-opacity":1}},\
        {"type":"Feature","geometry":{"type":"LineString",\
        "coordinates":[[0,0],[0.01,0],[0.02,0]]},"properties":{"kind":"activeRoute",\
        "stroke":"#0000ff","stroke-width":2,"stroke-opacity":1}},\
        {"type":"Feature","geometry":{"type":"Point","coordinates":[0.05,0.01]},\
        "properties":{"kind":"dropoff","marker-color":"#ff0000"}},\
        {"type":"Feature","geometry":{"type":"Point","coordinates":[0.005,0.0001]},\
        "properties":{"kind":"vehicle","heading":45,"snapped":false,"marker-color":"#0000ff"}}]}
        """)
    _ = try parsed(Journey(trip))
  }

  @Test func emptyJourneyHasNoBounds() {
    #expect(
      text(Journey(Trip()))
        == #"{"type":"FeatureCollection","status":"UNKNOWN_TRIP_STATUS","features":[]}"#)
  }

  @Test func lineAcrossTheAntimeridianIsSplit() {
    let trip = Trip(
      tripStatus: .enrouteToDropoff, route: [LatLng(0, 179), LatLng(2, -179), LatLng(2, -178)])
    let json = text(Journey(trip))
    #expect(
      json.hasSuffix(
        """
        "bbox":[179,0,-178,2],"features":[{"type":"Feature","geometry":{\
        "type":"MultiLineString","coordinates":[[[179,0],[180,1]],[[-180,1],[-179,2],[-178,2]]]},\
        "properties":{"kind":"activeRoute","stroke":"#0000ff","stroke-width":2,\
        "stroke-opacity":1}}]}
        """))
  }

  @Test(
    arguments: [
      ([(0, 179), (0, 180), (0, -179)], [[179, 180], [-180, -179]]),
      ([(0, 179), (0, -180), (0, -179)], [[179, 180], [-180, -179]]),
      ([(0, -179), (0, 179), (0, -179)], [[-179, -180], [180, 179, 180], [-180, -179]]),
      ([(0, 180), (0, -180)], [[180, -180]]),
      ([(0, 10), (0, 10)], [[10, 10]]),
    ] as [([(Double, Double)], [[Double]])])
  func piecesEndAtTheAntimeridian(points: [(Double, Double)], longitudes: [[Double]]) {
    let line = points.map { LatLng($0.0, $0.1) }
    #expect(line.cutAtAntimeridian().map { $0.map(\.longitude) } == longitudes)
  }

  @Test(arguments: UInt64(0)..<50)
  func noPieceCrossesTheAntimeridian(seed: UInt64) {
    var random = SplitMix(state: seed)
    let line = (0..<10).map { _ in
      LatLng(0, wrapped(Double(Int.random(in: 150..<210, using: &random))))
    }
    let pieces = line.cutAtAntimeridian()
    for piece in pieces {
      for (a, b) in zip(piece, piece.dropFirst()) {
        #expect((a.longitude - b.longitude).magnitude <= 180)
      }
    }
    for (a, b) in zip(pieces, pieces.dropFirst()) {
      #expect(a.last?.longitude.magnitude == 180)
      #expect(b.first?.longitude.magnitude == 180)
    }
    // Without duplicates.
    func inland(_ points: [LatLng]) -> [LatLng] {
      points.reduce(into: []) { inland, point in
        if point.longitude.magnitude < 180, inland.last != point { inland.append(point) }
      }
    }
    #expect(inland(pieces.flatMap { $0 }) == inland(line))
  }

  @Test func segmentsHaveTheSpeedOfTraffic() throws {
    var trip = SampleTrip.trip(.enrouteToPickup)
    trip.currentRouteSegmentTraffic = ConsumableTrafficPolyline(
      speedReadingInterval: [SampleTrip.interval(0, 2, .trafficJam)])
    var style = JourneyStyle()
    style.activeRoute.trafficColors[.trafficJam] = MapColor(red: 1, green: 2, blue: 254, alpha: 51)
    style.pickup.icon = "flag \"1\"\n"
    let json = text(Journey(trip, style: style))
    #expect(
      json.hasPart(
        ##"{"kind":"activeRoute","speed":"TRAFFIC_JAM","stroke":"#0102fe","stroke-width":2,"##
          + #""stroke-opacity":0.2}"#))
    #expect(json.hasPart(#""marker-symbol":"flag \"1\"\n""#))
    #expect(json.hasPart(#""kind":"intermediateDestination","index":1,"#))
    _ = try parsed(Journey(trip, style: style))
  }
}

extension String {
  fileprivate func hasPart(_ part: String) -> Bool {
    let (text, part) = (Array(utf8), Array(part.utf8))
    return text.indices.contains { text[$0...].starts(with: part) }
  }
}
