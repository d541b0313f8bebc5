import FleetEngineAPI
import Testing
import WireProtobuf

@testable import FleetEmulator
@testable import RouteFiles

@Suite struct RouteTests {
  private static let places = [
    LatLng(latitude: 38.5, longitude: -120.2), LatLng(latitude: 40.7, longitude: -120.95),
    LatLng(latitude: 43.252, longitude: -126.453),
  ]

  private func route(_ text: String) throws(RouteFileError) -> Route {
    try Route(file: Array(text.utf8))
  }

  private func places(_ text: String) throws -> [LatLng] { try route(text).points.map(\.place) }

  private func gpx(_ body: String) -> String {
    "<?xml version=\"1.0\"?>\n<gpx xmlns=\"http://www.topografix.com/GPX/1/1\">\n\(body)\n</gpx>\n"
  }

  private static let track = """
    <metadata><time>2020-01-01T00:00:00Z</time></metadata>
    <wpt lat="1" lon="2"/>
    <trk><name>a &amp; b</name><trkseg>
    <trkpt lat="38.5" lon="-120.2"><ele>3</ele><time>2026-01-01T00:00:00Z</time>
    <extensions><x><time>no time</time></x></extensions></trkpt>
    <trkpt lon="-120.95" lat="40.7"><time>
      2026-01-01T01:00:10.5+01:00</time></trkpt></trkseg>
    <trkseg><trkpt lat="&#52;3.252" lon="-126.453"><time><![CDATA[2026-01-01T00:00:20]]></time></trkpt></trkseg>
    </trk>
    """

  // MARK: GPX

  @Test func aTrackHasPlacesAndTimes() throws {
    let route = try route(gpx(Self.track))
    #expect(route.points.map(\.place) == Self.places)
    #expect(
      route.points.map { $0.time.map { $0 - Timestamp(seconds: 1_767_225_600) } }
        == [.zero, .seconds(10.5), .seconds(20)])
    #expect(route.hasTimes)
  }

  @Test func aRouteIsReadIfThereIsNoTrack() throws {
    let route =
      "<rte><rtept lat=\"38.5\" lon=\"-120.2\"/><rtept lat=\"40.7\" lon=\"-120.95\"/></rte>"
    #expect(try places(gpx(route)) == Array(Self.places.prefix(2)))
    #expect(try !self.route(gpx(route)).hasTimes)
    #expect(try places(gpx(route + Self.track)) == Self.places)
  }

  @Test func otherEncodingsAndPrefixesAreRead() throws {
    let text = gpx(Self.track)
    #expect(try places("\u{FEFF}" + text) == Self.places)
    let wide: [UInt8] = text.utf16.reduce(into: [0xFF, 0xFE]) {
      $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)]
    }
    #expect(try Route(file: wide).points.map(\.place) == Self.places)
    let latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><gpx><trk><name>"
    let rest = "</name><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"3\"/></trk></gpx>"
    #expect(try Route(file: Array(latin.utf8) + [0xFC] + Array(rest.utf8)).points.count == 2)
    let prefixed =
      "<g:gpx xmlns:g=\"u\"><g:trk><g:trkpt lat=\"1\" lon=\"2\"/><g:trkpt lat=\"1\" lon=\"3\"/></g:trk></g:gpx>"
    #expect(try places(prefixed).count == 2)
  }

  @Test(arguments: [
    ("<trk><trkpt lat=\"91\" lon=\"0\"/></trk>", "3:6", "<trkpt> needs lat from -90 to 90"),
    ("<trk><trkpt lat=\"nan\" lon=\"0\"/></trk>", "3:6", "<trkpt> needs lat"),
    ("<rte>\n<rtept lat=\"1\"/></rte>", "4:1", "<rtept> needs lat"),
    (
      "<trk><trkpt lat=\"1\" lon=\"0\"><time>noon</time></trkpt></trk>", "3:39",
      "<time> needs a time such as 2026-11-21T10:00:00Z"
    ),
    (
      "<trk><trkpt lat=\"1\" lon=\"0\"><time>" + String(repeating: "1", count: 65), "3:35",
      "<time> is too long"
    ),
    ("<trk></rte>", "3:8", "invalid XML: mismatched tag"),
    ("<a>&b;</a>", "3:4", "invalid XML: undefined entity"),
  ])
  func invalidGPXHasThePlace(_ body: String, _ place: String, _ reason: String) {
    let error = #expect(throws: RouteFileError.self) { try route(gpx(body)) }
    #expect(error?.position.map { "\($0)" } == place)
    #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
  }

  @Test func entitiesCannotBeDeclared() {
    let text = "<!DOCTYPE gpx [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;\">]>\n<gpx>&b;</gpx>"
    let error = #expect(throws: RouteFileError.self) { try route(text) }
    #expect(error?.reason == "a document type is not allowed in GPX")
  }

  @Test func otherXMLIsNamed() {
    let error = #expect(throws: RouteFileError.self) { try route("<kml><x/></kml>") }
    #expect(error?.reason == "expected <gpx>, found <kml>")
    #expect(error?.position == TextPosition())
  }

  @Test func deepAndTruncatedXMLIsRefused() {
    let deep = "<gpx>" + String(repeating: "<a>", count: 200_000)
    let error = #expect(throws: RouteFileError.self) { try route(deep) }
    #expect(error?.reason == "elements are nested too deep")
    let bytes = Array(gpx(Self.track).utf8)
    for count in 1..<(bytes.count - 1) {
      #expect(throws: RouteFileError.self) { try Route(file: Array(bytes.prefix(count))) }
    }
  }

  // MARK: GeoJSON

  private static let line = "[[-120.2,38.5],[-120.95,40.7,9],[-126.453,43.252]]"

  @Test(arguments: [
    "{\"type\":\"LineString\",\"coordinates\":\(line)}",
    "\u{FEFF} {\"type\":\"Feature\",\"properties\":null,\"geometry\":{\"type\":\"LineString\",\"coordinates\":\(line)}}",
    """
    {"type":"FeatureCollection","features":[{"type":"Feature","geometry":null},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}},
    {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[
    {"type":"LineString","coordinates":\(line)}]}}]}
    """,
    "{\"coordinates\":[[[-120.2,38.5],[-120.95,40.7]],[[-126.453,43.252]]],\"type\":\"MultiLineString\"}",
  ])
  func linesAreRead(_ text: String) throws {
    #expect(try places(text) == Self.places)
  }

  @Test(arguments: [
    ("{\"type\":\"LineString\",\"coordinates\":[[1,2],\n[\"x\",2]]}", "2:1", "expected a position"),
    ("{\"type\":\"LineString\",\"coordinates\":[[200,2],[1,2]]}", "1:37", "longitude outside ±180"),
    ("{\"type\":\"LineString\"}", "1:1", "expected an array"),
    ("{\"type\":\"FeatureCollection\",\"features\":[1]}", "1:41", "expected an object"),
    ("{\"a\":1}", "1:1", "expected GeoJSON"),
    ("{\"type\":\"LineString\",", "1:22", "invalid JSON: truncated"),
    ("{}", "1:1", "expected GeoJSON"),
    ("[1]", "1:1", "invalid JSON: expected a JSON object"),
  ])
  func invalidGeoJSONHasThePlace(_ text: String, _ place: String, _ reason: String) {
    let error = #expect(throws: RouteFileError.self) { try route(text) }
    #expect(error?.position.map { "\($0)" } == place)
    #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
  }

  @Test func deepGeoJSONIsRefused() {
    let deep =
      String(repeating: "{\"type\":\"Feature\",\"geometry\":", count: 100_000) + "null"
      + String(repeating: "}", count: 100_000)
    #expect(throws: RouteFileError.self) { try route(deep) }
  }

  // MARK: Polylines

  @Test func polylinesAreRead() throws {
    #expect(try places(" _p~iF~ps|U_ulLnnqC_mqNvxq`@\n") == Self.places)
    #expect(try places(S2Polyline.encode(Self.places)).count == 3)
    // The first latitude is 1.5.
    let brace = try EncodedPolyline.encode([
      LatLng(latitude: 0.00014, longitude: 0), LatLng(latitude: 1, longitude: 2),
    ])
    #expect(brace.first == "[")
    #expect(try places(brace).count == 2)
  }

  @Test(arguments: [
    ("hello world", "1:6", "not an encoded polyline"),
    ("\n_p~iF~ps|U_ulL", "2:15", "not an encoded polyline: truncated"),
    ("_p~iF~ps|U_ulLnnqC\nx y", "1:19", "not an encoded polyline"),
  ])
  func invalidPolylinesHaveThePlace(_ text: String, _ place: String, _ reason: String) {
    let error = #expect(throws: RouteFileError.self) { try route(text) }
    #expect(error?.position.map { "\($0)" } == place)
    #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
  }

  @Test(arguments: [
    "", " \n", "_p~iF~ps|U", "<gpx/>", "{\"type\":\"Point\",\"coordinates\":[1,2]}",
  ])
  func aRouteNeedsTwoPoints(_ text: String) {
    let error = #expect(throws: RouteFileError.self) { try route(text) }
    #expect(error?.reason.hasPrefix("a route needs two points, found ") == true)
    #expect(error?.position == nil)
  }
}
