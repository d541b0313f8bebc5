import WireSystem

/// Returns whether both buffers hold the same bytes.
func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
  guard one.count == other.count else { return false }
  guard let left = one.baseAddress, let right = other.baseAddress else { return true }
  return unsafe memcmp(left, right, one.count) == 0
}
