import Tripwire

extension RouteTraffic {
  /// Creates the traffic along the path of a vehicle. Points are added where a stretch begins or ends within
  /// a segment.
  ///
  /// Drops stretches without a known speed, the parts beyond the end of the path, and stretches that overlap
  /// an earlier one.
  init(_ stretches: [VisualTrafficReportPolylineRendering.RoadStretch], along points: [LatLng]) {
    self.init(path: Array(points.prefix(1)))
    var stretches = Self.ordered(stretches)[...]
    var first: Int?
    // In meters from the start of the path.
    var start = 0.0
    for (from, to) in zip(points, points.dropFirst()) {
      let length = distance(from, to)
      let end = start + length
      func add(at meters: Double) -> Int {
        let part = length > 0 ? (meters - start) / length : 0
        if 0 < part, part < 1 { path.append(from.toward(to, part)) }
        return path.count - 1
      }
      while let next = stretches.first {
        if first == nil, next.start < end { first = add(at: next.start) }
        guard let begin = first, next.end < end else { break }
        let last = add(at: next.end)
        spans.append(Span(speed: next.speed, range: begin..<(last + 1)))
        // The end twice: a span that begins at the upper bound of another would continue it.
        path.append(path[last])
        first = nil
        stretches.removeFirst()
      }
      path.append(to)
      start = end
    }
    if let first, let next = stretches.first {
      spans.append(Span(speed: next.speed, range: first..<path.count))
    }
  }

  private struct Stretch {
    let speed: SpeedReadingInterval.Speed
    let start: Double
    let end: Double
  }

  /// The stretches with a known speed, without those that begin before the end of an earlier one.
  private static func ordered(
    _ stretches: [VisualTrafficReportPolylineRendering.RoadStretch]
  ) -> [Stretch] {
    var end = 0.0
    return stretches.compactMap { stretch in
      let start = Double(stretch.offsetMeters)
      guard let speed = stretch.style.speed, stretch.lengthMeters > 0, start >= end else {
        return nil
      }
      end = start + Double(stretch.lengthMeters)
      return Stretch(speed: speed, start: start, end: end)
    }
  }
}

extension VisualTrafficReportPolylineRendering.RoadStretch.Style {
  fileprivate var speed: SpeedReadingInterval.Speed? {
    switch self {
    case .slowerTraffic: .slow
    case .trafficJam: .trafficJam
    case .unspecified, .unrecognized: nil
    }
  }
}

extension LatLng {
  /// The point at a part of the way to another one, from 0 to 1, across the antimeridian if that is shorter.
  fileprivate func toward(_ other: LatLng, _ part: Double) -> LatLng {
    let east = wrapped(other.longitude - longitude)
    return LatLng(
      latitude: latitude + part * (other.latitude - latitude),
      longitude: wrapped(longitude + part * east))
  }
}
