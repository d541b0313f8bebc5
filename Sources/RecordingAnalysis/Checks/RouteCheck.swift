import Tripwire
import WireProtobuf

/// Finds routes that are not a part of the route before.
struct RouteCheck: ~Copyable {
  /// Points of less accurate formats differ by half of 10^-5 degrees at most.
  private static let tolerance = 1e-5

  private var points: [LatLng] = []
  private var nextStop: ResourceFacts.NextStop?

  mutating func receive(
    _ path: RoutePath, nextStop stop: ResourceFacts.NextStop?, at time: Timestamp
  ) -> [Finding] {
    let previous = points
    points = (try? path.points()) ?? []
    let previousStop = nextStop
    nextStop = stop
    guard !previous.isEmpty, !points.isEmpty, !Self.isEnd(of: previous, points),
      let meters = length(of: points), let previousMeters = length(of: previous)
    else { return [] }
    let detail = RecordingCheck.Detail.route(
      meters: meters, previous: previousMeters, isOtherStop: previousStop != nextStop)
    return [Finding(detail, from: time, to: time)]
  }

  /// Whether the vehicle only advanced: all points except the first, where the vehicle is, end the other
  /// route.
  private static func isEnd(of route: [LatLng], _ points: [LatLng]) -> Bool {
    guard points.count <= route.count + 1 else { return false }
    return zip(points.dropFirst().reversed(), route.reversed()).allSatisfy { new, old in
      abs(new.latitude - old.latitude) < tolerance
        && abs(new.longitude - old.longitude) < tolerance
    }
  }
}
