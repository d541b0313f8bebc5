import Tripwire
import WireSystem

/// Moves each place by a random offset, large enough to hide the grid that the place was rounded to.
/// The same place always gets the same offset.
///
/// On a rotated globe, the axes of the grid would still show where north was, and the ratio of width
/// to height of its cells would show the latitude.
struct Displacements {
  /// The standard deviation for a point on none of the grids below, in radians: 2.5 m. This is at least
  /// a cell of S2's level 22, as in Fleet Engine's polylines, and 10^-5 degrees, as in encoded polylines.
  static let least = 2.5 / earthRadius

  /// The grids with wider cells, the widest first: the number of cells in a degree, and how near to it a
  /// point counts as on the grid, in degrees, as the point may have been rounded again.
  ///
  /// Three decimals, seconds of arc, hundredths of a minute, four decimals.
  private static let grids: [(cells: Double, tolerance: Double)] = [
    (1_000, 6e-7), (3_600, 6e-6), (6_000, 6e-6), (10_000, 6e-7),
  ]

  /// Never written: without the key no offset can be computed.
  private let key = (0..<4).map { _ in UInt64.random(in: 0 ... .max) }

  /// Returns the offset in radians along two perpendicular axes. Each is normally distributed with the
  /// standard deviation ``deviation(of:)``.
  func displacement(of point: LatLng) -> (Double, Double) {
    // SipHash: its values cannot be predicted without the key.
    var hasher = Hasher()
    hasher.combine(key)
    // Rounded to a centimeter, so that a place is the same inside and outside a polyline.
    hasher.combine((point.latitude * 1e7).rounded())
    hasher.combine((point.longitude * 1e7).rounded())
    let random = UInt64(bitPattern: Int64(hasher.finalize()))
    let (first, second) = (random >> 32, random & 0xffff_ffff)
    let distance = (-2 * log((Double(first) + 1) / 0x1p32)).squareRoot() * Self.deviation(of: point)
    let angle = Double(second) / 0x1p32 * 2 * .pi
    return (distance * cos(angle), distance * sin(angle))
  }

  /// Returns the width of a cell of the widest grid that a point is on, in radians.
  static func deviation(of point: LatLng) -> Double {
    let grid = grids.first { grid in
      [point.latitude, point.longitude].allSatisfy {
        abs($0 - ($0 * grid.cells).rounded() / grid.cells) <= grid.tolerance
      }
    }
    return grid.map { .pi / 180 / $0.cells } ?? least
  }
}
