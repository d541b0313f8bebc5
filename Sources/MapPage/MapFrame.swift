package import JourneySharing
import Tripwire

/// One state of a resource on the page: the contents of the map, and the text beside it.
package struct MapFrame: Sendable {
  /// Nil before the first response.
  package var journey: Journey?
  var facts: MapFacts
  /// The area that the camera shows: by default everything that is drawn. Nil if that is nothing.
  var bounds: MapBounds?

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
    json.frame(bounds: bounds) {
      $0.features(journey)
    } facts: {
      $0.members(of: facts)
    }
    return json.bytes
  }

  /// The frame of a journey of an app, as ``json``, with the area of its camera. Its facts are the kind and
  /// the status.
  package static func json(of journey: Journey) -> [UInt8] {
    var json = GeoJSONWriter()
    json.frame(bounds: journey.camera) {
      $0.features(journey)
    } facts: { json in
      json.member("kind", journey.kind.jsonKey)
      let isTrip = journey.kind == .trip
      let status = journey.statusName ?? (isTrip ? String(journey.status.rawValue) : nil)
      if let status { json.member("status", status) }
    }
    return json.bytes
  }
}

extension GeoJSONWriter {
  mutating func frame(
    bounds: MapBounds?, time: Double? = nil, trip: Int? = nil,
    features: (inout GeoJSONWriter) -> Void, facts: (inout GeoJSONWriter) -> Void
  ) {
    object { json in
      if let time { json.member("time", time) }
      if let trip { json.member("trip", Double(trip)) }
      json.member("features") { $0.array(features) }
      if let bounds { json.member("bounds") { $0.bounds(bounds) } }
      json.member("facts") { $0.object(facts) }
    }
  }

  fileprivate mutating func features(_ journey: Journey?) {
    for feature in journey?.compactFeatures() ?? [] { element { $0.json(feature) } }
  }
}
