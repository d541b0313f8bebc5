import FleetEngineAPI
import WireSystem

/// A path between two places, with the distance of each point from its start in meters.
struct Road: Sendable {
  let points: [LatLng]
  let meters: [Double]

  var length: Double { meters.last ?? 0 }

  init(_ points: [LatLng]) {
    self.points = points
    meters = zip(points, points.dropFirst()).reduce(into: [0]) {
      $0.append(($0.last ?? 0) + $1.0.meters(to: $1.1))
    }
  }

  /// A path of two streets and one corner.
  ///
  /// - Parameter turnsNorthFirst: whether the first street runs north or south.
  init(from start: LatLng, to end: LatLng, turnsNorthFirst: Bool) {
    let corner =
      turnsNorthFirst
      ? LatLng(latitude: end.latitude, longitude: start.longitude)
      : LatLng(latitude: start.latitude, longitude: end.longitude)
    let steps = 20
    let first = (0..<steps).map { start.between(corner, Double($0) / Double(steps)) }
    let second = (0...steps).map { corner.between(end, Double($0) / Double(steps)) }
    self.init(first + second)
  }

  /// - Parameter speed: in meters per second.
  func duration(speed: Double) -> Duration { .seconds(length / speed) }

  /// The place at a distance from the start, and the heading there in degrees clockwise from north.
  func place(at distance: Double) -> (place: LatLng, heading: Int32) {
    let index = min(
      max(0, meters.partitioningIndex { $0 > distance } - 1), max(0, points.count - 2))
    guard index + 1 < points.count else { return (points.first ?? LatLng(), 0) }
    let (start, end) = (points[index], points[index + 1])
    let length = meters[index + 1] - meters[index]
    let part = length > 0 ? min(1, max(0, (distance - meters[index]) / length)) : 0
    return (start.between(end, part), start.heading(to: end))
  }
}

extension LatLng {
  /// The direction to a near place in degrees clockwise from north.
  func heading(to end: LatLng) -> Int32 {
    let north = end.latitude - latitude
    let east = eastward(to: end) * cos(latitude * .pi / 180)
    let degrees = atan2(east, north) * 180 / .pi
    return Int32((degrees + 360).rounded()) % 360
  }
}
