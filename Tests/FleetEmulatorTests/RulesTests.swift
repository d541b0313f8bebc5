import FleetEngineAPI
import Testing
import WireProtobuf

@testable import FleetEmulator

@Suite struct ResourceFilterTests {
  private func matches(_ text: String) throws -> Bool {
    let values: [String: ResourceFilter.Value] = [
      "state": .text("OPEN"), "time": .time(Timestamp(seconds: 10, nanos: 0)),
      "attributes.a": .text("1"), "attributes.b c": .text("x"), "attributes.quoted": .text("a\"b"),
    ]
    return try ResourceFilter(text, fields: ["state", "none"], times: ["time"]).matches {
      values[$0]
    }
  }

  @Test(arguments: [
    ("", true), ("  ", true), ("state = OPEN", true), ("state=OPEN", true),
    ("state = \"OPEN\"", true), ("state = 'OPEN'", true), ("state != OPEN", false),
    ("state = open", false), ("none = x", false), ("none != x", true), ("none:*", false),
    ("state:*", true), ("NOT none:*", true), ("attributes.a = 1", true),
    ("attributes.a = \"1\" attributes.a = 1", true), ("attributes.z = 1", false),
    ("attributes.quoted = \"a\\\"b\"", true),
    // OR binds more tightly than AND.
    ("state = X AND state = OPEN OR state = OPEN", false),
    ("(state = X AND state = OPEN) OR state = OPEN", true),
    ("NOT (state = X OR state = Y)", true), ("NOT NOT state = OPEN", true),
    ("time = \"1970-01-01T00:00:10Z\"", true), ("time < \"1970-01-01T00:00:10Z\"", false),
    ("time <= \"1970-01-01T00:00:10Z\"", true), ("time > \"1970-01-01T00:00:09.5Z\"", true),
    ("time >= \"1970-01-01T02:00:10+02:00\"", true), ("time != \"1970-01-01T00:00:10Z\"", false),
  ])
  func comparisons(_ text: String, _ isMatch: Bool) throws { #expect(try matches(text) == isMatch) }

  @Test(arguments: [
    "state", "state =", "= OPEN", "state OPEN x", "other = 1", "attributes. = 1", "state < OPEN",
    "state = \"OPEN", "state = 'OPEN", "state = \"OPEN\\", "(state = OPEN", "state = OPEN)", "()",
    "NOT", "state = OPEN AND", "state = OPEN OR", "AND state = OPEN", "time > yesterday", "!",
    "a!b",
    "state:OPEN", "\"state\" = OPEN", "state = (", "=<>!():\"'", "<\u{338}", "\u{0}",
    String(repeating: "(", count: 100_000), String(repeating: "NOT ", count: 100_000),
    String(repeating: "state = OPEN ", count: 51),
  ])
  func invalidFilters(_ text: String) {
    let error = #expect(throws: EngineError.self) { try matches(text) }
    #expect(error?.fields == ["filter"])
  }

  @Test func fiftyRestrictionsArePermitted() throws {
    #expect(try matches(String(repeating: "state = OPEN ", count: 50)))
  }
}

@Suite struct RoutePointsTests {
  private let line = [LatLng.equator(0), .equator(1), LatLng(latitude: 1, longitude: 1)]

  @Test func theRestOfALineBeginsAtThePlace() {
    func rest(_ latitude: Double, _ longitude: Double) -> [LatLng] {
      line.rest(from: LatLng(latitude: latitude, longitude: longitude))
    }
    let end = line[2]
    #expect(rest(0.01, 0.2) == [LatLng(latitude: 0.01, longitude: 0.2), .equator(1), end])
    // Nearer to the point at the corner than to the first one.
    #expect(rest(0, 0.9) == [.equator(0.9), .equator(1), end])
    // Nearer to the last point.
    #expect(rest(0.9, 1) == [LatLng(latitude: 0.9, longitude: 1), end])
    #expect(rest(2, 1) == [LatLng(latitude: 2, longitude: 1), end])
    #expect(line.rest(from: nil) == line)
    #expect([LatLng]().rest(from: .equator(1)) == [])
    #expect([end].rest(from: .equator(1)) == [.equator(1), end])
    #expect([end, end].rest(from: .equator(1)) == [.equator(1), end])
  }
}

@Suite struct TrafficTests {
  /// Two legs of 1112 m each.
  private let route: String

  init() throws {
    route = try S2Polyline.encode([.equator(0), .equator(0.01), .equator(0.02)], level: 30)
  }

  @Test func stretchesBecomePartsOfAPath() throws {
    let data = TrafficPolylineData.stretches(
      (500, 1000, .slowerTraffic), (1500, 200, .trafficJam))
    let traffic = try #require(data.alongRoute(route))
    let path = try Polyline.decode(traffic.encodedPathToWaypoint)
    // The points of the route, and the three ends of stretches.
    #expect(path.count == 6)
    let meters = path.map { $0.meters(to: .equator(0)) }
    for (found, expected) in zip(meters, [0.0, 500, 1112, 1500, 1700, 2224]) {
      #expect(abs(found - expected) < 3)
    }
    #expect(
      traffic.speedReadingInterval == [
        SpeedReadingInterval(startPolylinePointIndex: 1, endPolylinePointIndex: 4, speed: .slow),
        SpeedReadingInterval(
          startPolylinePointIndex: 3, endPolylinePointIndex: 5, speed: .trafficJam),
      ])
  }

  @Test func stretchesOutsideTheRouteAreCutOrLeftOut() throws {
    let data = TrafficPolylineData.stretches(
      (0, 100_000, .trafficJam), (3000, 10, .trafficJam), (-5, 10, .trafficJam),
      (10, 0, .trafficJam), (10, 10, .unspecified))
    let traffic = try #require(data.alongRoute(route))
    #expect(try Polyline.decode(traffic.encodedPathToWaypoint).count == 3)
    #expect(
      traffic.speedReadingInterval == [
        SpeedReadingInterval(
          startPolylinePointIndex: 0, endPolylinePointIndex: 3, speed: .trafficJam)
      ])
  }

  @Test func withoutARouteThereIsNoTraffic() {
    let data = TrafficPolylineData.stretches((0, 1, .trafficJam))
    #expect(data.alongRoute("") == nil)
    #expect(data.alongRoute("?") == nil)
  }
}

extension TrafficPolylineData {
  typealias Stretch = VisualTrafficReportPolylineRendering.RoadStretch

  static func stretches(_ stretches: (Int32, Int32, Stretch.Style)...) -> Self {
    TrafficPolylineData(
      trafficRendering: VisualTrafficReportPolylineRendering(
        roadStretch: stretches.map { offset, length, style in
          var stretch = Stretch()
          (stretch.offsetMeters, stretch.lengthMeters, stretch.style) = (offset, length, style)
          return stretch
        }))
  }
}
