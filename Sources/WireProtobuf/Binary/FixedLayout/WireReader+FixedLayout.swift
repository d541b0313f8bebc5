// Runs of leaf messages with the same layout, as the points of a route are.

extension WireReader {
  /// Appends the run of messages that begins with the current field.
  ///
  /// - Returns: false when the field is not the beginning of a run; then nothing was read.
  @inlinable @inline(never)
  mutating func appendFixedLayouts<M: FixedLayoutMessage>(_ values: inout [M]) -> Bool {
    // One byte of tag and one of length, so the fields 1 to 15.
    let size = M._fixedLayoutSize
    guard tag < 0x80, size < 0x80 else { return false }
    let stride = size &+ 2
    // Where the tag of the first message is; it was read in this message.
    let start = unsafe cursor - 1
    let limit = unsafe (end - start) / stride
    let head = UInt16(littleEndian: UInt16(truncatingIfNeeded: tag) | UInt16(size) << 8)

    var count = 0
    while count < limit {
      let message = unsafe start + count &* stride
      guard unsafe message.loadUnaligned(as: UInt16.self) == head,
        unsafe M._hasFixedLayout(_FixedLayoutReader(message + 2))
      else { break }
      count &+= 1
    }
    guard count > 0 else { return false }

    values.append(addingCapacity: count) { output in
      for index in 0..<count {
        output.append(unsafe M(_fixedLayout: _FixedLayoutReader(start + index &* stride + 2)))
      }
    }
    unsafe cursor = start + count &* stride
    return true
  }
}
