import FleetEngineAPI
import WireSystem

extension [LatLng] {
  /// The part of a line from where it is nearest to a place, preceded by the place.
  func rest(from place: LatLng?) -> [LatLng] {
    guard let place, !isEmpty else { return self }
    let distances = zip(self, dropFirst()).map { place.squareDegrees(toLine: $0, $1) }
    let nearest = distances.indices.min { distances[$0] < distances[$1] }
    return [place] + self[(nearest.map { $0 + 1 } ?? 0)...]
  }

  /// Returns the part of a line up to where it is nearest to a place, and the rest. The place ends the one, and begins
  /// the other.
  func split(at place: LatLng) -> (path: [LatLng], rest: [LatLng]) {
    let rest = rest(from: place)
    return (Array(prefix(count - (rest.count - 1))) + [place], rest)
  }

  /// Returns the points with one more at each of some ascending distances along them, in meters, and the index of
  /// each of these.
  func inserting(at distances: [Double]) -> (points: [LatLng], indices: [Int]) {
    var points: [LatLng] = []
    var indices: [Int] = []
    var rest = distances[...]
    var start = 0.0
    for (here, there) in zip(self, dropFirst()) {
      points.append(here)
      let step = here.meters(to: there)
      while let next = rest.first, next < start + step {
        rest.removeFirst()
        if next > start { points.append(here.between(there, (next - start) / step)) }
        indices.append(points.count - 1)
      }
      start += step
    }
    if let last { points.append(last) }
    return (points, indices + rest.map { _ in Swift.max(0, points.count - 1) })
  }
}

extension LatLng {
  /// The distance to another place in meters.
  func meters(to place: LatLng) -> Double { distance(self, place) }

  /// The square of the distance to a line in degrees of latitude, in a plane that touches the Earth here.
  fileprivate func squareDegrees(toLine start: LatLng, _ end: LatLng) -> Double {
    let shrink = cos(latitude * Double.pi / 180)
    func offset(_ other: LatLng) -> (x: Double, y: Double) {
      ((other.longitude - longitude) * shrink, other.latitude - latitude)
    }
    let (from, to) = (offset(start), offset(end))
    let (x, y) = (to.x - from.x, to.y - from.y)
    let square = x * x + y * y
    let part = square > 0 ? min(max(0, -(from.x * x + from.y * y) / square), 1) : 0
    let nearest = (x: from.x + part * x, y: from.y + part * y)
    return nearest.x * nearest.x + nearest.y * nearest.y
  }

  /// The place at a part of the way to another one.
  func between(_ end: LatLng, _ part: Double) -> LatLng {
    let east = longitude + eastward(to: end) * part
    return LatLng(
      latitude: Self.rounded(latitude + (end.latitude - latitude) * part),
      longitude: Self.rounded(east > 180 ? east - 360 : east < -180 ? east + 360 : east))
  }

  /// The difference of the longitudes in degrees, the short way around the Earth.
  func eastward(to end: LatLng) -> Double {
    let degrees = end.longitude - longitude
    return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }

  /// Rounds to six decimals, which are about 0.1 m.
  static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}

extension TrafficPolylineData {
  /// Converts the traffic of a vehicle, which is in meters along its route, to that of a trip, which is in points of
  /// a path of its own.
  ///
  /// - Parameter route: the route of the vehicle, encoded.
  func alongRoute(_ route: String) -> ConsumableTrafficPolyline? {
    guard let points = try? Polyline.decode(route), !points.isEmpty, let length = length(of: points)
    else { return nil }
    let stretches = (trafficRendering?.roadStretch ?? []).filter {
      [.slowerTraffic, .trafficJam].contains($0.style) && $0.lengthMeters > 0
        && $0.offsetMeters >= 0 && Double($0.offsetMeters) < length
    }
    let bounds = Set(
      stretches.flatMap {
        [Double($0.offsetMeters), Double($0.offsetMeters) + Double($0.lengthMeters)]
      }
    ).sorted()
    let (path, indices) = points.inserting(at: bounds)
    let places = Dictionary(uniqueKeysWithValues: zip(bounds, indices))
    var traffic = ConsumableTrafficPolyline()
    traffic.encodedPathToWaypoint = (try? S2Polyline.encode(path)) ?? ""
    traffic.speedReadingInterval = stretches.map { stretch in
      let start = Double(stretch.offsetMeters)
      let end = start + Double(stretch.lengthMeters)
      return SpeedReadingInterval(
        startPolylinePointIndex: Int32(places[start] ?? 0),
        // The end is exclusive.
        endPolylinePointIndex: Int32((places[end] ?? 0) + 1),
        speed: stretch.style == .trafficJam ? .trafficJam : .slow)
    }
    return traffic
  }
}
