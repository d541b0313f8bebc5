import JourneySharing
import Testing
import Tripwire

@Suite struct SVGTests {
  private func svg(_ trip: Trip, caption: String? = nil) -> String {
    Journey(trip).svgString(caption: caption)
  }

  @Test func picturesRoutesStopsVehicleScaleAndCaption() {
    let text = svg(SampleTrip.trip(.enrouteToPickup), caption: "t1 <&\">")
    #expect(text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(text.components(of: "<polyline ") == 2)
    #expect(text.components(of: "<g transform") == 5)
    #expect(text.contains(">500 m</text>") || text.contains(">1 km</text>"))
    #expect(text.contains("<title>t1 &lt;&amp;&quot;&gt;</title>"))
  }

  /// The texts below the map.
  private func captionLines(_ svg: String) -> [Substring] {
    svg.split(separator: "\n").filter { $0.contains("font-size=\"14\"") }.compactMap {
      $0.split(separator: ">").dropFirst().first?.prefix { $0 != "<" }
    }
  }

  @Test(arguments: [
    "providers/demo/trips/t1   enroute to pickup   ETA 2026-11-21 09:43:17 (2 d 6 h ago)   5.1 km",
    "providers/demo/trips/" + String(repeating: "x", count: 64) + "   enroute to pickup",
    String(repeating: "車", count: 90), String(repeating: " ", count: 90) + "end",
    String(repeating: "é", count: 200),
  ])
  func longCaptionIsWrapped(caption: String) {
    let text = svg(SampleTrip.trip(.enrouteToPickup), caption: caption)
    let lines = captionLines(text)
    #expect(lines.count >= 2)
    for line in lines { #expect(line.count <= (caption.hasPrefix("車") ? 37 : 74)) }
    #expect(
      lines.joined().filter { $0 != " " } == caption.filter { $0 != " " }.prefix(200))
    #expect(text.contains("<title>\(caption)</title>"))
    let small = Journey(SampleTrip.trip(.new)).svg(caption: caption, width: 160, height: 160)
    #expect(String(decoding: small, as: UTF8.self).hasSuffix("</text>\n</svg>\n"))
  }

  @Test func shortCaptionIsOneLine() {
    #expect(
      captionLines(svg(SampleTrip.trip(.new), caption: "t1   new   3 km")) == ["t1   new   3 km"])
  }

  @Test func controlCharactersAreReplaced() {
    let text = svg(SampleTrip.trip(.new), caption: "a\u{1b}[31m\u{202e}\u{9b}\u{0}b")
    #expect(text.contains("<title>a\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}b</title>"))
  }

  @Test(arguments: [2_000, 200_000])
  func longRouteStaysSmall(count: Int) {
    var trip = SampleTrip.trip(.enrouteToPickup)
    // A zigzag, which cannot be simplified without a loss.
    trip.route = (0..<count).map {
      LatLng($0 % 2 == 0 ? 0 : 0.01, Double($0) * 0.02 / Double(count))
    }
    #expect(Journey(trip).svg().count < 50_000)
  }

  @Test func manySpansAndStopsStaySmall() {
    var trip = SampleTrip.trip(.enrouteToPickup)
    trip.route = (0..<2_000).map { LatLng(0, Double($0) * 0.00001) }
    trip.currentRouteSegmentTraffic = ConsumableTrafficPolyline(
      speedReadingInterval: (0..<1_999).map {
        SampleTrip.interval($0, $0 + 1, $0 % 2 == 0 ? .slow : .trafficJam)
      })
    let stop = TerminalLocation(at: LatLng(0, 0.03))
    trip.intermediateDestinations = Array(repeating: stop, count: 20_000)
    #expect(Journey(trip).svg().count < 50_000)
  }

  @Test func tripWithoutPlacesHasACaptionOnly() {
    let text = svg(Trip())
    #expect(text.components(of: "<polyline ") == 0)
    #expect(text.hasSuffix("</svg>\n"))
  }

  @Test(arguments: [
    [LatLng(0, 179.99), LatLng(0, -179.99)], [LatLng(90, 0), LatLng(-90, 0)],
    [LatLng(0, -180), LatLng(0, 180)], [LatLng(10, 10), LatLng(10, 10)],
  ])
  func extremePlacesStayInThePicture(route: [LatLng]) throws {
    let text = svg(Trip(tripStatus: .enrouteToPickup, route: route))
    let numbers = text.split(separator: "\n").filter { $0.hasPrefix("<polyline") }.flatMap { line in
      line.split(separator: "\"")[1].split(whereSeparator: { $0 == " " || $0 == "," })
    }
    #expect(!numbers.isEmpty)
    for number in numbers { #expect(-1...641 ~= (try #require(Double(number)))) }
  }
}

extension String {
  fileprivate func components(of mark: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
