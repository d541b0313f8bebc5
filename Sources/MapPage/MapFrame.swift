package import JourneySharing

/// One state of a resource on the page: the contents of the map, and the text beside it.
package struct MapFrame: Sendable {
  /// Nil before the first response, and for a resource without a map.
  package var journey: Journey?
  package var facts: MapFacts
  /// The area that the camera shows: by default everything that is drawn. Nil if that is nothing.
  package var bounds: MapBounds?

  /// - Parameter style: the appearance of the journey.
  package init(_ facts: MapFacts, style: JourneyStyle = .page) {
    journey = facts.resource?.journey(style)
    self.facts = facts
    bounds = journey?.drawnArea
  }

  /// The frame as a JSON object in UTF-8: `features` (see ``Journey/compactFeatures()``), `bounds`
  /// (west, south, east, north), and `facts`.
  package var json: [UInt8] {
    var json = GeoJSONWriter()
    json.frame(bounds: bounds, facts) { json in
      for feature in journey?.compactFeatures() ?? [] { json.element { $0.json(feature) } }
    }
    return json.bytes
  }
}

extension GeoJSONWriter {
  mutating func frame(
    bounds: MapBounds?, _ facts: MapFacts, time: Double? = nil, trip: Int? = nil,
    features: (inout GeoJSONWriter) -> Void
  ) {
    object { json in
      if let time { json.member("time", time) }
      if let trip { json.member("trip", Double(trip)) }
      json.member("features") { $0.array(features) }
      if let bounds { json.member("bounds") { $0.bounds(bounds) } }
      json.member("facts") { $0.facts(facts) }
    }
  }
}
