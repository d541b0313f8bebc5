import FleetEngineAPI
import WireProtobuf

/// The large parts of the answers with a trip in binary form, which stay the same until the trip or their versions
/// change.
///
/// They spare more than a third of the instructions of a GetTrip (docs/decisions/fleet/encoded-trip-parts.md).
struct TripParts: Sendable {
  /// What a request wants.
  struct Selection: Equatable {
    let hasRoute: Bool
    let hasTraffic: Bool
    /// Whether the stops have their paths.
    let hasPaths: Bool
    /// Whether routes and paths are encoded polylines.
    let isEncoded: Bool
  }

  private struct Known {
    let selection: Selection
    let trip: [UInt8]
    let versions: TripVersions
    let bytes: [UInt8]
  }

  /// One for each selection. Clients use few.
  private var known: [Known] = []

  /// Returns the stored trip with the selected parts, which `fill` makes when the trip has changed.
  mutating func bytes(
    _ selection: Selection, of stored: StoredTrip, _ fill: (inout Trip) -> Void
  ) -> [UInt8] {
    let trip = stored.bytesWithoutInput
    let index = known.firstIndex { $0.selection == selection }
    if let index, known[index].versions == stored.versions, known[index].trip == trip {
      return known[index].bytes
    }
    var parts = Trip()
    fill(&parts)
    let bytes = trip + parts.serializedBytes()
    if let index { known.remove(at: index) }
    known.append(
      Known(selection: selection, trip: trip, versions: stored.versions, bytes: bytes))
    return bytes
  }
}

/// The parts of the trips that were asked for last.
struct TripPartsCache: Sendable {
  /// Some kilobytes each.
  private static let mostTrips = 20_000

  /// By the names of the trips.
  private var parts: [String: TripParts] = [:]

  mutating func with<Result>(
    _ name: String, _ body: (inout TripParts) -> Result
  ) -> Result {
    if parts.count >= Self.mostTrips, parts[name] == nil { parts = [:] }
    return body(&parts[name, default: TripParts()])
  }

  /// A trip with this name that is created later may have the same versions.
  mutating func forget(_ name: String) { parts[name] = nil }
}
