/// Makes strings from received names and values, and reuses those of equal octets: nearly all of them
/// come with every call (`content-type`, `application/grpc`, `grpc-status`, `0`).
///
/// A direct-mapped table. Two integer comparisons identify a string: they cover all of up to 16 octets,
/// and the first and the last eight octets of a longer one, of which only the middle is then compared.
struct StringCache {
  private struct Ends: Equatable {
    var first: UInt64
    var last: UInt64
    var count: Int
  }

  private static let slots = 64
  private static let longest = 128
  private var ends = [Ends](repeating: Ends(first: 0, last: 0, count: 0), count: Self.slots)
  private var strings = [String](repeating: "", count: Self.slots)

  mutating func string(_ octets: UnsafeBufferPointer<UInt8>) -> String {
    guard octets.count <= Self.longest else {
      return unsafe String(decoding: octets, as: UTF8.self)
    }
    let bytes = UnsafeRawBufferPointer(octets)
    let ends = unsafe Self.ends(of: bytes)
    let mixed = (ends.first ^ ends.last &* 3 ^ UInt64(ends.count)) &* 0x9e37_79b9_7f4a_7c15
    let slot = Int(truncatingIfNeeded: mixed >> 58)
    if self.ends[slot] == ends {
      if ends.count <= 16 { return strings[slot] }
      let isSame = unsafe strings[slot].utf8.withContiguousStorageIfAvailable {
        unsafe areEqual(UnsafeRawBufferPointer($0), bytes)
      }
      if isSame == true { return strings[slot] }
    }
    self.ends[slot] = ends
    strings[slot] = unsafe String(decoding: octets, as: UTF8.self)
    return strings[slot]
  }

  private static func ends(of bytes: UnsafeRawBufferPointer) -> Ends {
    guard bytes.count < 8 else {
      return unsafe Ends(
        first: bytes.loadUnaligned(as: UInt64.self),
        last: bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self),
        count: bytes.count)
    }
    var all: UInt64 = 0
    for index in 0..<bytes.count { unsafe all = all << 8 | UInt64(bytes[index]) }
    return Ends(first: all, last: 0, count: bytes.count)
  }
}
