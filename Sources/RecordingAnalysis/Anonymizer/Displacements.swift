import Tripwire
import WireSystem

/// How far each place is moved aside at random, the same place the same way: so far that the grid
/// which it was rounded to is gone.
///
/// The grid would tell, however the globe is turned, by its axes where north was, and by how much
/// narrower than high its cells are, the latitude.
struct Displacements {
  /// Of a point on none of the grids below, in radians: 2.5 m, no less than the cells of S2's level 22,
  /// on which Fleet Engine's polylines are, and than 10^-5 degrees, as of encoded polylines.
  static let least = 2.5 / 6_371_010

  /// The grids whose cells are wider than that, the widest first: how many cells a degree has, and how
  /// near a point is to be, in degrees, to be on it, as it may have been rounded again.
  ///
  /// Three decimals, seconds of arc, hundredths of a minute, four decimals.
  private static let grids: [(cells: Double, tolerance: Double)] = [
    (1_000, 6e-7), (3_600, 6e-6), (6_000, 6e-6), (10_000, 6e-7),
  ]

  /// Thrown away with the run: without it nobody can tell where a place was.
  private let key = (0..<4).map { _ in UInt64.random(in: 0 ... .max) }

  /// In radians, along two axes at right angles: normally distributed, of `deviation` along each.
  func displacement(of point: LatLng) -> (Double, Double) {
    // SipHash, whose values nobody can foresee who does not have the key.
    var hasher = Hasher()
    hasher.combine(key)
    // The same in a polyline and out of it, to a centimetre.
    hasher.combine((point.latitude * 1e7).rounded())
    hasher.combine((point.longitude * 1e7).rounded())
    let random = UInt64(bitPattern: Int64(hasher.finalize()))
    let (first, second) = (random >> 32, random & 0xffff_ffff)
    let distance = (-2 * log((Double(first) + 1) / 0x1p32)).squareRoot() * Self.deviation(of: point)
    let angle = Double(second) / 0x1p32 * 2 * .pi
    return (distance * cos(angle), distance * sin(angle))
  }

  /// In radians: a cell of the widest grid that a point is on.
  static func deviation(of point: LatLng) -> Double {
    let grid = grids.first { grid in
      [point.latitude, point.longitude].allSatisfy {
        abs($0 - ($0 * grid.cells).rounded() / grid.cells) <= grid.tolerance
      }
    }
    return grid.map { .pi / 180 / $0.cells } ?? least
  }
}
