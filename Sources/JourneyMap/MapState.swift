import JourneySharing
import Tripwire

/// The state of the map itself, which the page receives as JSON.
enum MapState {
  /// `{"app":{"icons":{"1":"data:…"},"problem":"…"}}`
  static func icons(_ icons: IconTable) -> [UInt8] {
    app { json in
      json.member("icons") { json in
        json.object { json in
          for (key, source) in icons.sources { json.member(key, source) }
        }
      }
      json.member("problem", icons.problems.joined(separator: "; "))
    }
  }

  /// `{"app":{"places":{"features":[…]}}}`, with `bounds` if the camera shows the places.
  static func places(_ places: [Journey.Marker], areInView: Bool) -> [UInt8] {
    var journey = Journey(Trip())
    journey.markers = places
    return app { json in
      json.member("places") { json in
        json.object { json in
          json.member("features") { json in
            json.array { json in
              for feature in journey.compactFeatures() { json.element { $0.json(feature) } }
            }
          }
          if areInView, let bounds = MapBounds(places.map(\.position)) {
            json.member("bounds") { $0.bounds(bounds) }
          }
        }
      }
    }
  }

  /// `{"app":{"trips":["…"],"view":{"follows":true,"resets":0,"scroll":true,"zoom":true}}}`, with the camera's
  /// area if it does not follow.
  static func view(of contents: JourneyMapContents) -> [UInt8] {
    app { json in
      json.member("trips") { json in
        json.array { json in
          for name in contents.tripNames { json.element { $0.string(name) } }
        }
      }
      json.member("view") { json in
        json.object { json in
          json.member("follows") { $0.bool(contents.followsJourneys) }
          json.member("resets", Double(contents.cameraResets))
          json.member("scroll") { $0.bool(contents.allowsScrolling) }
          json.member("zoom") { $0.bool(contents.allowsZooming) }
          if let camera = contents.camera, !contents.followsJourneys {
            json.member("camera") { $0.bounds(camera) }
          }
        }
      }
    }
  }

  private static func app(_ members: (inout GeoJSONWriter) -> Void) -> [UInt8] {
    var json = GeoJSONWriter()
    json.object { $0.member("app") { $0.object(members) } }
    return json.bytes
  }
}
