public import Tripwire

extension Journey {
  /// A line on the map.
  public struct Polyline: Sendable, Hashable {
    /// The part of the route.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// The route of the vehicle to the next stop of this trip, or to its own next stop.
      case activeRoute
      /// The route from the next stop to the drop-off, the last stop or the task.
      case remainingRoute
    }

    /// The part of the route.
    public var kind: Kind
    /// The speed of traffic; nil for the route as a whole.
    public var speed: SpeedReadingInterval.Speed?
    /// The points; at least two.
    public var points: [LatLng]
    /// The style, with the color for the speed.
    public var style: JourneyStyle.Polyline
  }
}

extension Journey.Polyline {
  /// Returns a route, followed by its stretches with a known speed of traffic.
  static func all(
    _ kind: Kind, _ route: [LatLng], _ traffic: RouteTraffic?, _ style: JourneyStyle.Polyline
  ) -> [Self] {
    guard style.isVisible else { return [] }
    var polylines: [Self] = []
    if route.count >= 2 { polylines.append(Self(kind: kind, points: route, style: style)) }
    guard let traffic, style.isTrafficEnabled else { return polylines }
    for (index, span) in traffic.spans.enumerated() {
      let points = traffic.points(ofSpanAt: index)
      guard points.count >= 2 else { continue }
      var colored = style
      colored.color = style.trafficColor(for: span.speed)
      polylines.append(Self(kind: kind, speed: span.speed, points: points, style: colored))
    }
    return polylines
  }
}

extension RouteTraffic {
  /// Extends a span to the first point of the next one if that follows directly, to leave no gap.
  fileprivate func points(ofSpanAt index: Int) -> [LatLng] {
    var range = spans[index].range
    if index + 1 < spans.count, spans[index + 1].range.lowerBound == range.upperBound {
      range = range.lowerBound..<(range.upperBound + 1)
    }
    return path[range.clamped(to: path.indices)].filter(\.isOnGlobe)
  }
}
