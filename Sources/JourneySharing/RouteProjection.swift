import Tripwire
import WireSystem

/// The place on a route that is nearest to another.
///
/// Around that other place the globe is taken for flat, a degree of longitude for as long as it is
/// there: short of the poles that costs some centimetres in some hundred metres, and less than a metre
/// in two kilometres. Segments are the shorter way between their ends, also over the antimeridian.
struct RouteProjection {
  let point: LatLng
  /// Of the segment it is on, in degrees clockwise from north.
  let bearing: Double

  /// Nil for a route without length.
  init?(of place: LatLng, onto route: [LatLng]) {
    let scale = cos(place.latitude * .pi / 180)
    // In degrees of latitude, from the place.
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
    // At a pole every longitude is as good.
    let longitude = scale > 1e-12 ? place.longitude + best.x / scale : place.longitude
    point = LatLng(latitude: place.latitude + best.y, longitude: wrapped(longitude))
    let degrees = atan2(best.dx, best.dy) * 180 / .pi
    bearing = degrees < 0 ? degrees + 360 : degrees
  }
}

/// A longitude, or a difference of two, from -180 to 180.
func wrapped(_ degrees: Double) -> Double {
  if degrees > 180 { return degrees - 360 }
  return degrees < -180 ? degrees + 360 : degrees
}
