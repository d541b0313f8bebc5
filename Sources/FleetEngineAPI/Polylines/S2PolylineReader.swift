/// Reads the bytes of an S2 polyline.
struct S2PolylineReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var remaining: Int { bytes.count - offset }

  /// Reads all points. The bytes must contain nothing else.
  mutating func polyline() throws(PolylineError) -> [LatLng] {
    let version = try byte()
    let points =
      switch version {
      case 1: try exactPoints()
      case 2: try compressedPoints()
      default: throw PolylineError(.unknownVersion(version), .byte(0))
      }
    if remaining > 0 { throw PolylineError(.trailingBytes(remaining), .byte(offset)) }
    return points
  }

  // MARK: Version 1

  private mutating func exactPoints() throws(PolylineError) -> [LatLng] {
    let start = offset
    let count = UInt32(truncatingIfNeeded: try fixed(bytes: 4))
    guard UInt64(count) * 24 <= UInt64(remaining) else {
      throw PolylineError(.tooManyPoints(UInt64(count)), .byte(start))
    }
    var points: [LatLng] = []
    points.reserveCapacity(Int(count))
    for _ in 0..<count { points.append(try exactPoint()) }
    return points
  }

  private mutating func exactPoint() throws(PolylineError) -> LatLng {
    let start = offset
    let x = Double(bitPattern: try fixed(bytes: 8))
    let y = Double(bitPattern: try fixed(bytes: 8))
    let z = Double(bitPattern: try fixed(bytes: 8))
    // Also false for NaN, infinity and the zero vector.
    guard abs(x * x + y * y + z * z - 1) <= 1e-6 else {
      throw PolylineError(.notUnitVector, .byte(start))
    }
    return LatLng(x: x, y: y, z: z)
  }

  // MARK: Version 2

  private mutating func compressedPoints() throws(PolylineError) -> [LatLng] {
    let levelOffset = offset
    let level = Int(try byte())
    guard level <= 30 else { throw PolylineError(.levelTooHigh(level), .byte(levelOffset)) }
    let countOffset = offset
    let count = try varint(bits: 32)
    guard count <= UInt64(remaining) else {
      throw PolylineError(.tooManyPoints(count), .byte(countOffset))
    }
    // S2 writes the count of off-center points even after zero points, but does not require it.
    if count == 0, remaining == 0 { return [] }
    var points: [LatLng] = []
    points.reserveCapacity(Int(count))
    if count > 0 { try appendCells(to: &points, count: Int(count), level: level) }
    try replaceOffCenter(&points)
    return points
  }

  private mutating func appendCells(
    to points: inout [LatLng], count: Int, level: Int
  ) throws(PolylineError) {
    let runs = try faceRuns(count)
    let size = 1 / Double(1 << level)
    var (columns, rows) = (SecondDerivative(), SecondDerivative())
    for run in runs {
      while points.count < run.end {
        let start = offset
        let isFirst = points.isEmpty
        let pair = try isFirst ? fixed(bytes: (level + 7) / 8 * 2) : varint(bits: 64)
        let column = columns.next(evenBits(pair), isZigzag: !isFirst)
        let row = rows.next(evenBits(pair >> 1), isZigzag: !isFirst)
        guard UInt32(bitPattern: column | row) >> UInt32(level) == 0 else {
          throw PolylineError(.cellOffFace, .byte(start))
        }
        points.append(
          LatLng(centerOf: S2Cell(face: run.face, column: column, row: row), size: size))
      }
    }
  }

  /// Reads the runs of points on one face, each with its end index. Together they cover all points; the
  /// length of the last run may exceed them.
  private mutating func faceRuns(_ count: Int) throws(PolylineError) -> [(face: Int, end: Int)] {
    var runs: [(face: Int, end: Int)] = []
    var covered = 0
    while covered < count {
      let start = offset
      let (length, face) = try varint(bits: 64).quotientAndRemainder(dividingBy: 6)
      guard 1...UInt64(Int32.max) ~= length else {
        throw PolylineError(.wrongFaceRun, .byte(start))
      }
      covered += min(Int(length), count - covered)
      runs.append((Int(face), covered))
    }
    return runs
  }

  /// Reads the exact positions of points that are not the center of their cell.
  private mutating func replaceOffCenter(_ points: inout [LatLng]) throws(PolylineError) {
    let start = offset
    let count = try varint(bits: 32)
    guard count <= UInt64(points.count) else {
      throw PolylineError(.tooManyPoints(count), .byte(start))
    }
    for _ in 0..<count {
      let start = offset
      let index = try varint(bits: 32)
      guard index < UInt64(points.count) else {
        throw PolylineError(.wrongIndex(index), .byte(start))
      }
      points[Int(index)] = try exactPoint()
    }
  }

  // MARK: Numbers

  private mutating func byte() throws(PolylineError) -> UInt8 {
    guard offset < bytes.count else { throw PolylineError(.truncated, .byte(bytes.count)) }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a little-endian number of up to 8 bytes.
  private mutating func fixed(bytes count: Int) throws(PolylineError) -> UInt64 {
    guard count <= remaining else { throw PolylineError(.truncated, .byte(bytes.count)) }
    var value: UInt64 = 0
    for index in (offset..<offset + count).reversed() { value = value << 8 | UInt64(bytes[index]) }
    offset += count
    return value
  }

  private mutating func varint(bits: UInt64) throws(PolylineError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      let digit = UInt64(byte & 0x7f)
      guard shift < bits, digit >> (bits - shift) == 0 else {
        throw PolylineError(.numberTooLarge, .byte(start))
      }
      value |= digit << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }
}

/// Restores numbers from differences of differences, which S2 writes for evenly changing numbers.
/// The first input is a number, the second a difference. Wraps on overflow, as S2 does.
private struct SecondDerivative {
  private var count = 0
  private var difference: Int32 = 0
  private var value: Int32 = 0

  mutating func next(_ encoded: UInt32, isZigzag: Bool) -> Int32 {
    let number =
      isZigzag
      ? Int32(bitPattern: encoded >> 1) ^ -Int32(bitPattern: encoded & 1)
      : Int32(bitPattern: encoded)
    if count == 0 {
      value = number
    } else {
      difference = count == 1 ? number : difference &+ number
      value &+= difference
    }
    count = min(count + 1, 2)
    return value
  }
}

/// Extracts the bits at even positions.
private func evenBits(_ pair: UInt64) -> UInt32 {
  var bits = pair & 0x5555_5555_5555_5555
  bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
  bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f
  bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff
  bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff
  return UInt32(truncatingIfNeeded: bits | bits >> 16)
}
