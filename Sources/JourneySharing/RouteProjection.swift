import Tripwire
import WireSystem

/// The point of a route that is nearest to a place.
///
/// The calculation treats the globe near the place as flat, with the length of a degree of
/// longitude at the place. Except near the poles the error is some centimeters in some hundred
/// meters, and less than a meter in two kilometers. Segments take the shorter way between their
/// ends, also across the antimeridian.
struct RouteProjection {
  let point: LatLng
  /// The direction of the segment, in degrees clockwise from north.
  let bearing: Double

  /// Nil for a route without length.
  init?(of place: LatLng, onto route: [LatLng]) {
    let scale = cos(place.latitude * .pi / 180)
    // In degrees of latitude, relative to the place.
    func plane(_ point: LatLng) -> (x: Double, y: Double) {
      (wrapped(point.longitude - place.longitude) * scale, point.latitude - place.latitude)
    }
    var best: (distance: Double, x: Double, y: Double, dx: Double, dy: Double)?
    for (start, end) in zip(route, route.dropFirst()) {
      let a = plane(start)
      let (dx, dy) = (
        wrapped(end.longitude - start.longitude) * scale, end.latitude - start.latitude
      )
      let square = dx * dx + dy * dy
      guard square > 0 else { continue }
      let part = min(max(-(a.x * dx + a.y * dy) / square, 0), 1)
      let (x, y) = (a.x + part * dx, a.y + part * dy)
      let distance = x * x + y * y
      if distance < best?.distance ?? .infinity { best = (distance, x, y, dx, dy) }
    }
    guard let best else { return nil }
    // At a pole all longitudes are the same.
    let longitude = scale > 1e-12 ? place.longitude + best.x / scale : place.longitude
    point = LatLng(latitude: place.latitude + best.y, longitude: wrapped(longitude))
    let degrees = atan2(best.dx, best.dy) * 180 / .pi
    bearing = degrees < 0 ? degrees + 360 : degrees
  }
}

/// Normalizes a longitude, or a difference of two, to -180 to 180.
func wrapped(_ degrees: Double) -> Double {
  if degrees > 180 { return degrees - 360 }
  return degrees < -180 ? degrees + 360 : degrees
}
