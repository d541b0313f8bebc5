import WireSystem

/// Returns the length of a line on the ground in meters, on a sphere of Earth's mean radius (within
/// 0.5 % of the ellipsoid); nil if a latitude or a longitude is out of range.
package func length(of points: [LatLng]) -> Double? {
  guard points.allSatisfy(\.isOnGlobe) else { return nil }
  return zip(points, points.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
}

/// Returns the distance of two places in meters, by the haversine formula: exact also for points close
/// together.
package func distance(_ a: LatLng, _ b: LatLng) -> Double {
  let radians = Double.pi / 180
  let north = sin((b.latitude - a.latitude) * radians / 2)
  let east = sin((b.longitude - a.longitude) * radians / 2)
  let square =
    north * north + cos(a.latitude * radians) * cos(b.latitude * radians) * east * east
  return 2 * earthRadius * asin(min(1, square.squareRoot()))
}
