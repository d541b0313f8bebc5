/// Compares as many octets on both sides, eight at a time; the last eight may overlap those before.
func sameOctets(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  guard a.count >= 8 else {
    for index in 0..<a.count {
      guard unsafe a[index] == b[index] else { return false }
    }
    return true
  }
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
