/// Turns received names and values into strings, without allocating for those seen before.
///
/// Up to 15 octets a Swift string needs no allocation anyway. Longer ones that come back with
/// every call (`application/grpc`, `grpc-accept-encoding`) are kept in a direct-mapped table.
struct StringCache {
  private static let slots = 64
  private static let cachedLengths = 16...128
  private var table = [String](repeating: "", count: Self.slots)

  mutating func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard Self.cachedLengths.contains(bytes.count) else {
      return unsafe String(decoding: bytes, as: UTF8.self)
    }
    let bytes = UnsafeRawBufferPointer(bytes)
    let slot = unsafe Self.slot(bytes)
    let kept = table[slot]
    let matches = unsafe kept.utf8.withContiguousStorageIfAvailable {
      unsafe Self.equal(UnsafeRawBufferPointer($0), bytes)
    }
    if matches == true { return kept }
    table[slot] = unsafe String(decoding: bytes, as: UTF8.self)
    return table[slot]
  }

  /// Compares eight octets at a time; the last eight may overlap those before.
  private static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count else { return false }
    var offset = 0
    while offset < a.count {
      let start = min(offset, a.count - 8)
      let (left, right) = unsafe (
        a.loadUnaligned(fromByteOffset: start, as: UInt64.self),
        b.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      )
      guard left == right else { return false }
      offset += 8
    }
    return true
  }

  /// Mixes the length with the first and the last eight octets; at least 16 are there.
  private static func slot(_ bytes: UnsafeRawBufferPointer) -> Int {
    let first = unsafe bytes.loadUnaligned(as: UInt64.self)
    let last = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
    let mixed = (first ^ last &* 3 ^ UInt64(bytes.count)) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: mixed >> 58)
  }
}
