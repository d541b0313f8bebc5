import WireSystem

/// A cell of the S2 grid: a face of the cube around the globe, and the column and row on that face
/// at the cell's level ("face, pi, qi" in S2). Axes and quadratic projection are those of S2.
struct S2Cell: Hashable {
  var face: Int
  var column: Int32
  var row: Int32
}

extension S2Cell {
  /// - Parameter point: a point with valid latitude and longitude.
  init(containing point: LatLng, level: Int) {
    let (x, y, z) = point.unitVector
    let (a, b, c) = (abs(x), abs(y), abs(z))
    let axis = a > b ? (a > c ? 0 : 2) : (b > c ? 1 : 2)
    switch axis {
    case 0 where x >= 0: self.init(face: 0, u: y / x, v: z / x, level: level)
    case 1 where y >= 0: self.init(face: 1, u: -x / y, v: z / y, level: level)
    case 2 where z >= 0: self.init(face: 2, u: -x / z, v: -y / z, level: level)
    case 0: self.init(face: 3, u: z / x, v: y / x, level: level)
    case 1: self.init(face: 4, u: z / y, v: -x / y, level: level)
    default: self.init(face: 5, u: -y / z, v: -x / z, level: level)
    }
  }

  private init(face: Int, u: Double, v: Double, level: Int) {
    self.init(
      face: face, column: Self.position(u, level: level), row: Self.position(v, level: level))
  }

  /// Converts -1...1 on the projected face to the index of a cell; 1 belongs to the last cell.
  private static func position(_ u: Double, level: Int) -> Int32 {
    let s = u >= 0 ? 0.5 * (1 + 3 * u).squareRoot() : 1 - 0.5 * (1 - 3 * u).squareRoot()
    let count = Double(1 << level)
    return Int32(min(max(s * count, 0), count - 1))
  }
}

extension LatLng {
  /// The point on the unit sphere. The x axis is at latitude and longitude 0, the z axis at the
  /// north pole.
  package var unitVector: (x: Double, y: Double, z: Double) {
    let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
    let radius = cos(latitude)
    return (cos(longitude) * radius, sin(longitude) * radius, sin(latitude))
  }

  /// Creates the point in the direction of a finite vector other than 0, of any length.
  package init(x: Double, y: Double, z: Double) {
    // Adding 0 converts -0, which would be another direction, to 0, as in S2.
    self.init(
      latitude: atan2(z + 0, (x * x + y * y).squareRoot()) * (180 / .pi),
      longitude: atan2(y + 0, x + 0) * (180 / .pi))
  }

  /// Creates the center of a cell.
  ///
  /// - Parameter size: the width of a cell relative to its face: 2^-level.
  init(centerOf cell: S2Cell, size: Double) {
    let u = Self.projected((Double(cell.column) + 0.5) * size)
    let v = Self.projected((Double(cell.row) + 0.5) * size)
    switch cell.face {
    case 0: self.init(x: 1, y: u, z: v)
    case 1: self.init(x: -u, y: 1, z: v)
    case 2: self.init(x: -u, y: -v, z: 1)
    case 3: self.init(x: -1, y: -v, z: -u)
    case 4: self.init(x: v, y: -1, z: -u)
    default: self.init(x: v, y: u, z: -1)
    }
  }

  /// Converts 0...1 on a face with cells of equal width to -1...1 on the projected face.
  private static func projected(_ s: Double) -> Double {
    s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3
  }
}
