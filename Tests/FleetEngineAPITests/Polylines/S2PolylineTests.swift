import Testing

@testable import FleetEngineAPI

@Suite struct S2PolylineTests {
  static let fleetEngine = "AhYFIvrYXZ6GALkBlQK2AYQNAA=="

  /// Polylines written by a JavaScript library, a navigation SDK and Fleet Engine.
  static let samples: [PolylineVector] = [
    PolylineVector(
      text:
        "AQMAAAA7_tIhjf_avysne_M5iOW__WHh1yJy4z9MIcUK8Pvav7QbiLMRiuW_SWY5Y1lx4z-CIIuaN__av1Eb3-fU"
        + "h-W_iPpHZ7By4z8=",
      points: [point(37.42213, -122.0848), point(37.4152, -122.0627), point(37.427, -122.0854)]),
    PolylineVector(
      text: "AhoGJjx2y008lAIA1rLcAaXivALU9BzoKYu8cgA",
      points: [
        point(52.521436, 13.38606), point(52.522484, 13.387818), point(52.521799, 13.387932),
        point(52.521682, 13.387978), point(52.521632, 13.388044), point(52.520486, 13.388224),
      ]),
    PolylineVector(
      text: fleetEngine,
      points: [
        point(37.344146, -122.068486), point(37.344249, -122.068331), point(37.344578, -122.068176),
        point(37.344803, -122.068176), point(37.34479, -122.067909),
      ]),
    PolylineVector(
      text: "AhYCECPlXZ6GAJABAA==",
      points: [point(37.3448, -122.067998), point(37.34479, -122.067909)]),
  ]

  static func point(_ latitude: Double, _ longitude: Double) -> LatLng {
    LatLng(latitude: latitude, longitude: longitude)
  }

  @Test(arguments: samples) func decodesPolylinesOfOtherImplementations(_ vector: PolylineVector)
    throws
  {
    // The expected points have six decimals.
    #expect(separation(try S2Polyline.decode(vector.text), vector.points) < 0.6e-6)
  }

  @Test func decodesPolylinesOfS2() throws {
    for vector in try PolylineVector.s2() {
      let points = try S2Polyline.decode(vector.text)
      #expect(separation(points, vector.points) < 1e-12, "\(vector.text)")
    }
  }

  /// At every level, the centers of cells are encoded as the same bytes.
  @Test func encodesTheSameBytesAsS2() throws {
    var levels: Set<Int> = []
    for vector in try PolylineVector.s2() + Self.samples {
      guard case let bytes = try PolylineBase64.decode(vector.text), bytes[0] == 2, bytes.last == 0
      else { continue }
      let level = Int(bytes[1])
      let text = try S2Polyline.encode(try S2Polyline.decode(vector.text), level: level)
      #expect(try PolylineBase64.decode(text) == bytes, "\(vector.text)")
      levels.insert(level)
    }
    #expect(levels == Set(0...30))
  }

  @Test func encodesToTheNearestCells() throws {
    let points = [Self.point(90, 0), Self.point(-90, 7), Self.point(0, 180), Self.point(0, -180)]
    let centers = try S2Polyline.decode(try S2Polyline.encode(points, level: 30))
    for (center, point) in zip(centers, points) {
      #expect(abs(center.latitude - point.latitude) < 1e-6)
      #expect(abs(point.latitude) == 90 || abs(abs(center.longitude) - 180) < 1e-6)
    }
    let route = Self.samples[0].points
    for level in 10...30 {
      let centers = try S2Polyline.decode(try S2Polyline.encode(route, level: level))
      #expect(separation(centers, route) < 90 / Double(1 << level), "\(level)")
    }
  }

  @Test func encodesPaddedURLSafeBase64() throws {
    let points = try S2Polyline.decode(Self.fleetEngine)
    #expect(try S2Polyline.encode(points) == Self.fleetEngine)
    #expect(try S2Polyline.encode([]) == "AhYAAA==")
  }

  @Test func rejectsInvalidCoordinatesAndLevels() {
    for (latitude, longitude) in [(90.1, 0.0), (0, 180.1), (.nan, 0), (0, .infinity)] {
      #expect(throws: PolylineError(.outOfRange, .point(1))) {
        try S2Polyline.encode([Self.point(0, 0), Self.point(latitude, longitude)])
      }
    }
    for level in [-1, 31, .min, .max] {
      #expect(throws: PolylineError(.levelTooHigh(level), .level)) {
        try S2Polyline.encode([], level: level)
      }
    }
  }
}
