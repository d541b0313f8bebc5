import FleetEngineAPI
import WireProtobuf

/// The large parts of the answers with a trip in binary form, which stay the same until their versions change.
///
/// A GetTrip of a moving trip with 40 points of route takes a fifth of the time with them.
struct TripParts: Sendable {
  enum Part: Hashable {
    case route(isEncoded: Bool)
    case traffic
    case stops(hasPaths: Bool, isEncoded: Bool)
  }

  private var versions = TripVersions()
  private var parts: [Part: [UInt8]] = [:]

  /// Forgets the parts of other versions.
  mutating func update(to versions: TripVersions) {
    guard versions != self.versions else { return }
    if versions.route != self.versions.route {
      parts[.route(isEncoded: true)] = nil
      parts[.route(isEncoded: false)] = nil
    }
    // It is in points of the route.
    if versions.route != self.versions.route || versions.traffic != self.versions.traffic {
      parts[.traffic] = nil
    }
    if versions.waypoints != self.versions.waypoints || versions.paths != self.versions.paths {
      for hasPaths in [false, true] {
        parts[.stops(hasPaths: hasPaths, isEncoded: true)] = nil
        parts[.stops(hasPaths: hasPaths, isEncoded: false)] = nil
      }
    }
    self.versions = versions
  }

  /// Returns a part, which `fill` makes the first time.
  mutating func bytes(_ part: Part, _ fill: (inout Trip) -> Void) -> [UInt8] {
    if let bytes = parts[part] { return bytes }
    var trip = Trip()
    fill(&trip)
    let bytes = trip.serializedBytes()
    parts[part] = bytes
    return bytes
  }
}

/// The parts of the trips that were asked for last.
struct TripPartsCache: Sendable {
  /// Some kilobytes each.
  private static let mostTrips = 20_000

  private var parts: [ResourceName: TripParts] = [:]

  mutating func with<Result>(
    _ name: ResourceName, _ body: (inout TripParts) -> Result
  ) -> Result {
    if parts.count >= Self.mostTrips, parts[name] == nil { parts = [:] }
    return body(&parts[name, default: TripParts()])
  }
}
