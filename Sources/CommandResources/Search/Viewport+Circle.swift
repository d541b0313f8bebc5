import Tripwire
import WireSystem

extension Viewport {
  /// Creates the smallest rectangle with a circle around a place.
  init(around place: LatLng, meters: Double) {
    let degrees = meters / earthRadius * 180 / .pi
    // Meridians are closer to each other away from the equator. At a pole they meet.
    let shrinking = cos(min(abs(place.latitude) + degrees, 90) * .pi / 180)
    let width = shrinking > degrees / 180 ? degrees / shrinking : 180
    let isAllAround = width >= 180
    self.init(
      low: LatLng(
        latitude: max(-90, place.latitude - degrees),
        longitude: isAllAround ? -180 : wrapped(place.longitude - width)),
      high: LatLng(
        latitude: min(90, place.latitude + degrees),
        longitude: isAllAround ? 180 : wrapped(place.longitude + width)))
  }
}

/// Returns a longitude from -180 to 180. A rectangle across the 180th meridian ends west of its start.
private func wrapped(_ longitude: Double) -> Double {
  longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
}
