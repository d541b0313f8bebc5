/// Writes the bytes of an S2 polyline, version 2.
enum S2PolylineWriter {
  static func bytes(of cells: [S2Cell], level: Int) -> [UInt8] {
    var bytes: [UInt8] = [2, UInt8(level)]
    append(UInt64(cells.count), to: &bytes)
    appendFaceRuns(of: cells, to: &bytes)
    var (columns, rows) = (Derivative(), Derivative())
    for (index, cell) in cells.enumerated() {
      let (column, row) = (columns.next(cell.column), rows.next(cell.row))
      if index == 0 {
        let pair = interleaved(UInt32(bitPattern: column), UInt32(bitPattern: row))
        for byte in 0..<(level + 7) / 8 * 2 {
          bytes.append(UInt8(truncatingIfNeeded: pair >> (8 * UInt64(byte))))
        }
      } else {
        append(interleaved(zigzag(column), zigzag(row)), to: &bytes)
      }
    }
    bytes.append(0)  // No off-center points.
    return bytes
  }

  private static func appendFaceRuns(of cells: [S2Cell], to bytes: inout [UInt8]) {
    var start = 0
    for end in cells.indices {
      if end + 1 < cells.count, cells[end + 1].face == cells[end].face { continue }
      append(UInt64(6 * (end + 1 - start) + cells[end].face), to: &bytes)
      start = end + 1
    }
  }

  private static func append(_ varint: UInt64, to bytes: inout [UInt8]) {
    var rest = varint
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func zigzag(_ number: Int32) -> UInt32 {
    UInt32(bitPattern: number << 1 ^ number >> 31)
  }

  /// Interleaves the bits of both, starting with the lowest bit of `even`.
  private static func interleaved(_ even: UInt32, _ odd: UInt32) -> UInt64 {
    spread(even) | spread(odd) << 1
  }

  private static func spread(_ number: UInt32) -> UInt64 {
    var bits = UInt64(number)
    bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff
    bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff
    bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }
}

/// Converts numbers to differences of differences. The first output is the number, the second a
/// difference. Wraps on overflow, as S2 does.
private struct Derivative {
  private var count = 0
  private var value: Int32 = 0
  private var difference: Int32 = 0

  mutating func next(_ number: Int32) -> Int32 {
    let previous = (value: value, difference: difference)
    value = number
    if count > 0 { difference = number &- previous.value }
    count += 1
    return switch count {
    case 1: number
    case 2: difference
    default: difference &- previous.difference
    }
  }
}
