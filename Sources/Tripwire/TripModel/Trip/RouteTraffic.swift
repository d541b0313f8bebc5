/// How fast traffic moves along a route, or a part of it.
public struct RouteTraffic: Sendable, Hashable {
  /// A stretch of the path on which traffic moves at the same speed.
  public struct Span: Sendable, Hashable {
    public var speed: SpeedReadingInterval.Speed
    /// Indices into ``RouteTraffic/path`` of the first and, not included, the last point.
    public var range: Range<Int>

    public init(speed: SpeedReadingInterval.Speed, range: Range<Int>) {
      self.speed = speed
      self.range = range
    }
  }

  /// The points that the spans count. It may differ from the route: points are added where the speed
  /// changes.
  public var path: [LatLng]
  /// In their order along the path, none over another; where there is none, nothing is known.
  public var spans: [Span]

  public init(path: [LatLng] = [], spans: [Span] = []) {
    self.path = path
    self.spans = spans
  }
}

/// The traffic of a route as the server sent it, a piece for each stop on it.
struct TrafficPieces: Sendable, Hashable {
  private struct Piece: Sendable, Hashable {
    var traffic: ConsumableTrafficPolyline
    /// For traffic that comes without a path of its own.
    var route: RoutePath
  }

  private var pieces: [Piece] = []

  mutating func append(_ traffic: ConsumableTrafficPolyline?, along route: RoutePath) {
    guard let traffic else { return }
    pieces.append(Piece(traffic: traffic, route: route))
  }

  /// Nil when nothing is known of any of it.
  ///
  /// - Throws: ``PolylineError`` when a path cannot be decoded.
  func joined() throws(PolylineError) -> RouteTraffic? {
    guard !pieces.isEmpty else { return nil }
    var whole = RouteTraffic()
    for piece in pieces {
      let own = try piece.traffic.encodedPathToWaypointPoints()
      whole.append(
        piece.traffic.speedReadingInterval, along: own.isEmpty ? try piece.route.points() : own)
    }
    return whole
  }
}

extension RouteTraffic {
  /// What an interval says beyond the path, or of what another has spoken of, is left out.
  fileprivate mutating func append(_ intervals: [SpeedReadingInterval], along points: [LatLng]) {
    let offset = path.count
    path += points
    var end = 0
    for interval in intervals {
      let first = max(Int(interval.startPolylinePointIndex), end)
      let last = min(Int(interval.endPolylinePointIndex), points.count)
      guard first < last else { continue }
      end = last
      guard interval.speed != .unspecified else { continue }
      spans.append(Span(speed: interval.speed, range: (first + offset)..<(last + offset)))
    }
  }
}
