import Tripwire
import WireSystem

extension Viewport {
  /// Creates the smallest rectangle with a circle around a place.
  init(around place: LatLng, meters: Double) {
    let degrees = meters / earthRadius * 180 / .pi
    // Meridians are closer to each other away from the equator. At a pole they meet.
    let shrinking = cos(min(abs(place.latitude) + degrees, 90) * .pi / 180)
    let width = shrinking > degrees / 180 ? degrees / shrinking : 180
    self.init()
    var (low, high) = (LatLng(), LatLng())
    low.latitude = max(-90, place.latitude - degrees)
    high.latitude = min(90, place.latitude + degrees)
    if width >= 180 {
      (low.longitude, high.longitude) = (-180, 180)
    } else {
      low.longitude = wrapped(place.longitude - width)
      high.longitude = wrapped(place.longitude + width)
    }
    (self.low, self.high) = (low, high)
  }
}

/// Returns a longitude from -180 to 180. A rectangle across the 180th meridian ends west of its start.
private func wrapped(_ longitude: Double) -> Double {
  longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
}
