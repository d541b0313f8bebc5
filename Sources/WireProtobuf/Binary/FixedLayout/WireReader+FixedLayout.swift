// Runs of leaf messages with identical layout, such as the points of a route.

extension WireReader {
  /// Appends the run of messages that starts with the current field.
  ///
  /// - Returns: false if no run starts here; then nothing was read.
  @inlinable @inline(never)
  mutating func appendFixedLayouts<M: FixedLayoutMessage>(_ values: inout [M]) -> Bool {
    // The tag and the length take one byte each, so only fields 1 to 15 qualify.
    let size = M._fixedLayoutSize
    guard tag < 0x80, size < 0x80 else { return false }
    let stride = size &+ 2
    // The tag of the first message: one byte back, in the same message.
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
