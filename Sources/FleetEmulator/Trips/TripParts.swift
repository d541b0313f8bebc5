import FleetEngineAPI
import WireProtobuf

/// The large parts of the answers with a trip in binary form, which stay the same until their versions change.
///
/// They spare a third of the instructions of a GetTrip (docs/decisions/fleet/encoded-trip-parts.md).
struct TripParts: Sendable {
  enum Part: Hashable {
    case route(isEncoded: Bool)
    case traffic
    case stops(hasPaths: Bool, isEncoded: Bool)

    /// The versions that the part depends on.
    fileprivate func versions(_ all: TripVersions) -> TripVersions {
      switch self {
      case .route: TripVersions(route: all.route)
      // It is in points of the route.
      case .traffic: TripVersions(route: all.route, traffic: all.traffic)
      case .stops: TripVersions(waypoints: all.waypoints, paths: all.paths)
      }
    }
  }

  private var parts: [Part: (versions: TripVersions, bytes: [UInt8])] = [:]

  /// Returns a part, which `fill` makes when the versions of the trip have changed.
  mutating func bytes(
    _ part: Part, _ versions: TripVersions, _ fill: (inout Trip) -> Void
  ) -> [UInt8] {
    let versions = part.versions(versions)
    if let known = parts[part], known.versions == versions { return known.bytes }
    var trip = Trip()
    fill(&trip)
    let bytes = trip.serializedBytes()
    parts[part] = (versions, bytes)
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

  /// A trip with this name that is created later may have the same versions.
  mutating func forget(_ name: ResourceName) { parts[name] = nil }
}
