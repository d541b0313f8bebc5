/// The speed of traffic along a route or a part of it.
public struct RouteTraffic: Sendable, Hashable {
  /// A stretch of the path with one speed of traffic.
  public struct Span: Sendable, Hashable {
    /// How fast the traffic moves on the stretch.
    public var speed: SpeedReadingInterval.Speed
    /// Indices into ``RouteTraffic/path`` of the first point, and of the one after the last.
    public var range: Range<Int>

    /// Creates a span. See the properties.
    public init(speed: SpeedReadingInterval.Speed, range: Range<Int>) {
      self.speed = speed
      self.range = range
    }
  }

  /// The points that the spans refer to. They may differ from the route's: points are added where
  /// the speed changes.
  public var path: [LatLng]
  /// In order along the path, without overlaps. Gaps have no known speed.
  public var spans: [Span]

  /// Creates traffic from points and the spans that refer to them.
  public init(path: [LatLng] = [], spans: [Span] = []) {
    self.path = path
    self.spans = spans
  }
}

/// The traffic of a route as the server sent it, with a piece for each stop on it.
struct TrafficPieces: Sendable, Hashable {
  private struct Piece: Sendable, Hashable {
    var traffic: ConsumableTrafficPolyline
    /// The path for traffic that comes without its own.
    var route: RoutePath
  }

  private var pieces: [Piece] = []

  mutating func append(_ traffic: ConsumableTrafficPolyline?, along route: RoutePath) {
    guard let traffic else { return }
    pieces.append(Piece(traffic: traffic, route: route))
  }

  /// Decodes the traffic; nil if nothing is known.
  ///
  /// - Throws: ``PolylineError`` if a path cannot be decoded.
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
  /// Drops the parts of an interval that are outside the path or overlap an earlier interval.
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
