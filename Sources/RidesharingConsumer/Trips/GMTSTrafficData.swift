import Tripwire

/// The speed of traffic along a route.
public final class GMTSTrafficData: GMTCImmutableData, @unchecked Sendable {
  private let traffic: RouteTraffic
  private let path = Once<[GMTSLatLng]>()

  /// The points that the spans refer to. They may differ from the route's: points are added where
  /// the speed changes.
  public var routePath: [GMTSLatLng] { path { traffic.path.objects } }

  /// In order along the path. Gaps have no known speed.
  public var speedReadingSpans: [GMTSSpeedReadingSpan] {
    traffic.spans.map(GMTSSpeedReadingSpan.init)
  }

  /// Spans out of order or outside the path are dropped.
  public convenience init(routePath: [GMTSLatLng], speedReadingSpans: [GMTSSpeedReadingSpan]) {
    var traffic = RouteTraffic(path: routePath.map(\.point))
    var end = 0
    for span in speedReadingSpans {
      let (first, last) = (Int(span.startIndex), Int(span.endIndex))
      guard first >= end, first < last, last <= routePath.count else { continue }
      end = last
      traffic.spans.append(
        .init(
          speed: .init(rawValue: Int32(span.speedType.rawValue)), range: first..<last))
    }
    self.init(traffic)
  }

  init(_ traffic: RouteTraffic) {
    self.traffic = traffic
    super.init(content: traffic)
  }
}

/// A stretch of a path with one speed of traffic.
public final class GMTSSpeedReadingSpan: GMTCImmutableData, @unchecked Sendable {
  /// How fast the traffic moves between the two points.
  public let speedType: GMTSSpeedType
  /// The index of its first point in ``GMTSTrafficData/routePath``.
  public let startIndex: Int32
  /// The index after its last point.
  public let endIndex: Int32

  /// Creates a span. See the properties.
  public init(speedType: GMTSSpeedType, startIndex: Int32, endIndex: Int32) {
    self.speedType = speedType
    self.startIndex = startIndex
    self.endIndex = endIndex
    super.init(content: [Int32(speedType.rawValue), startIndex, endIndex])
  }

  convenience init(_ span: RouteTraffic.Span) {
    self.init(
      speedType: GMTSSpeedType(span.speed), startIndex: Int32(clamping: span.range.lowerBound),
      endIndex: Int32(clamping: span.range.upperBound))
  }
}
