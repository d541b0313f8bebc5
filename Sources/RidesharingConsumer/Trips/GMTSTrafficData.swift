import Tripwire

/// How fast traffic moves along a route.
public final class GMTSTrafficData: GMTCImmutableData, @unchecked Sendable {
  private let traffic: RouteTraffic
  private let path = Once<[GMTSLatLng]>()

  /// The points that the spans count. It may differ a little from the route: there are points more
  /// where the speed changes.
  public var routePath: [GMTSLatLng] { path { traffic.path.objects } }

  /// In their order along the path; nothing is known of what is between them.
  public var speedReadingSpans: [GMTSSpeedReadingSpan] {
    traffic.spans.map(GMTSSpeedReadingSpan.init)
  }

  /// Spans that are not in their order, or not of this path, are left out.
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

/// A stretch of a path on which traffic moves at the same speed.
public final class GMTSSpeedReadingSpan: GMTCImmutableData, @unchecked Sendable {
  private struct Content: Hashable, Sendable {
    var speedType: GMTSSpeedType
    var startIndex: Int32
    var endIndex: Int32
  }

  public let speedType: GMTSSpeedType
  /// Of the first point of ``GMTSTrafficData/routePath``.
  public let startIndex: Int32
  /// Behind that of the last point.
  public let endIndex: Int32

  public init(speedType: GMTSSpeedType, startIndex: Int32, endIndex: Int32) {
    self.speedType = speedType
    self.startIndex = startIndex
    self.endIndex = endIndex
    super.init(content: Content(speedType: speedType, startIndex: startIndex, endIndex: endIndex))
  }

  convenience init(_ span: RouteTraffic.Span) {
    self.init(
      speedType: GMTSSpeedType(span.speed), startIndex: Int32(clamping: span.range.lowerBound),
      endIndex: Int32(clamping: span.range.upperBound))
  }
}
