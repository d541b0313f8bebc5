package import JourneySharing
import Tripwire
package import WireProtobuf

/// One state of a resource on the page: the contents of the map, and the text beside it.
package struct MapFrame: Sendable {
  /// Nil before the first response.
  package var journey: Journey?
  var facts: MapFacts
  /// The area that the camera shows: by default everything that is drawn. Nil if that is nothing.
  package private(set) var bounds: MapBounds?

  /// - Parameter style: the appearance of the journey.
  package init(_ facts: MapFacts, style: JourneyStyle = .page) {
    journey = facts.resource?.journey(style)
    self.facts = facts
    bounds = journey?.drawnArea
  }

  /// The frame as a JSON object in UTF-8: `features` (see ``Journey/compactFeatures()``), `bounds`
  /// (west, south, east, north), and `facts`.
  package var json: [UInt8] {
    JSONWriter.bytes { json in
      json.frame(bounds: bounds) {
        $0.features(of: journey)
      } facts: {
        $0.members(of: facts)
      }
    }
  }

  /// The frame of a journey of an app, as ``json``, with the area of its camera. Its facts are the kind and
  /// the status.
  package static func json(of journey: Journey) -> [UInt8] {
    JSONWriter.bytes { json in
      json.frame(bounds: journey.camera) {
        $0.features(of: journey)
      } facts: { json in
        json.member("kind", journey.kind.jsonKey)
        let isTrip = journey.kind == .trip
        json.member(
          "status", journey.statusName ?? (isTrip ? String(journey.status.rawValue) : nil))
      }
    }
  }
}

extension JSONWriter {
  package mutating func frame(
    bounds: MapBounds?, time: Double? = nil, trip: Int? = nil,
    features: (inout JSONWriter) -> Void, facts: (inout JSONWriter) -> Void
  ) {
    object { json in
      json.member("time", decimal: time)
      json.member("trip", trip)
      json.member("features", features)
      json.member("bounds", bounds)
      json.object("facts", facts)
    }
  }

  /// Writes an array.
  package mutating func features(of journey: Journey?) {
    array(journey?.compactFeatures() ?? []) { $0.put(json: $1) }
  }
}
