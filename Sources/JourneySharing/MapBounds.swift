public import Tripwire

/// An area between two meridians and two parallels.
public struct MapBounds: Sendable, Hashable {
  /// The corner with the lowest latitude, in degrees.
  public var southwest: LatLng
  /// The corner with the highest latitude, in degrees. If the area crosses the antimeridian, its longitude is less
  /// than that of ``southwest``.
  public var northeast: LatLng

  /// Creates an area from two corners.
  public init(southwest: LatLng, northeast: LatLng) {
    self.southwest = southwest
    self.northeast = northeast
  }

  /// Creates the smallest area that contains all points; nil if there are none.
  public init?(_ points: some Sequence<LatLng>) {
    let points = points.filter(\.isOnGlobe)
    guard let south = points.lazy.map(\.latitude).min(),
      let north = points.lazy.map(\.latitude).max()
    else { return nil }
    let (west, east) = Self.span(points.map(\.longitude))
    southwest = LatLng(latitude: south, longitude: west)
    northeast = LatLng(latitude: north, longitude: east)
  }

  /// The whole circle except the widest gap.
  private static func span(_ longitudes: [Double]) -> (west: Double, east: Double) {
    guard let first = longitudes.min(), let last = longitudes.max() else { return (0, 0) }
    var widest = (gap: first + 360 - last, west: first, east: last)
    // No gap between two of the points is wider. This avoids sorting long routes.
    if widest.gap >= last - first { return (first, last) }
    let sorted = longitudes.sorted()
    for (a, b) in zip(sorted, sorted.dropFirst()) where b - a > widest.gap {
      widest = (b - a, b, a)
    }
    return (widest.west, widest.east)
  }
}
