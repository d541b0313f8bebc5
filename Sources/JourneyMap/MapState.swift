import JourneySharing
import MapPage
import Tripwire
import WireProtobuf

/// The state of the map itself, which the page receives as JSON.
enum MapState {
  /// `{"app":{"icons":{"1":"data:…"},"problem":"…"}}`
  static func icons(_ icons: IconTable) -> [UInt8] {
    app { json in
      json.object("icons") { json in
        for (key, source) in icons.sources { json.member(key, source) }
      }
      json.member("problem", icons.problems.joined(separator: "; "))
    }
  }

  /// `{"app":{"places":{"features":[…]}}}`, with `bounds` if the camera shows the places.
  static func places(_ places: [Journey.Marker], areInView: Bool) -> [UInt8] {
    var journey = Journey(Trip())
    journey.markers = places
    return app { json in
      json.object("places") { json in
        json.member("features") { $0.features(of: journey) }
        if areInView { json.member("bounds", MapBounds(places.map(\.position))) }
      }
    }
  }

  /// `{"app":{"trips":["…"],"view":{"follows":true,"resets":0,"scroll":true,"zoom":true}}}`, with the camera's
  /// area if it does not follow.
  static func view(of contents: JourneyMapContents) -> [UInt8] {
    app { json in
      json.member("trips", contents.tripNames)
      json.object("view") { json in
        json.member("follows", contents.followsJourneys)
        json.member("resets", contents.cameraResets)
        json.member("scroll", contents.allowsScrolling)
        json.member("zoom", contents.allowsZooming)
        if !contents.followsJourneys { json.member("camera", contents.camera) }
      }
    }
  }

  private static func app(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    JSONWriter.bytes { $0.object { $0.object("app", members) } }
  }
}
