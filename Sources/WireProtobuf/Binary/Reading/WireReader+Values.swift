// Values: varints, fixed-size numbers, lengths, strings and bytes.

extension WireReader {
  @inlinable @inline(__always)
  mutating func varint() throws(DecodingError.Reason) -> UInt64 {
    guard unsafe cursor < end else { throw .truncated }
    let first = unsafe cursor.load(as: UInt8.self)
    if first < 0x80 {
      unsafe cursor += 1
      return UInt64(first)
    }
    return try longVarint()
  }

  @usableFromInline
  mutating func longVarint() throws(DecodingError.Reason) -> UInt64 {
    if unsafe inputEnd - cursor >= 8 {
      let word = UInt64(littleEndian: unsafe cursor.loadUnaligned(as: UInt64.self))
      // The high bit of the varint's last byte, if it is among the eight.
      let last = ~word & 0x8080_8080_8080_8080
      let count = last.trailingZeroBitCount &>> 3 &+ 1
      if count <= min(8, remaining) {
        unsafe cursor += count
        // Keep the bits up to the last byte, clear the high bits, and join the 7-bit parts in
        // pairs: to 14, 28, then 56 bits.
        var value = word & (last ^ (last &- 1)) & 0x7F7F_7F7F_7F7F_7F7F
        value = value & 0x007F_007F_007F_007F | (value & 0x7F00_7F00_7F00_7F00) >> 1
        value = value & 0x0000_3FFF_0000_3FFF | (value & 0x3FFF_0000_3FFF_0000) >> 2
        return value & 0x0FFF_FFFF | (value & 0x0FFF_FFFF_0000_0000) >> 4
      }
    }
    return try longestVarint()
  }

  /// Reads a varint of nine or ten bytes, or one near the end of the message.
  private mutating func longestVarint() throws(DecodingError.Reason) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    // Bits above the 64th are dropped, as in protobuf's own parsers.
    let last = unsafe remaining < 10 ? end : cursor + 10
    var next = unsafe cursor
    while unsafe next < last {
      let byte = unsafe next.load(as: UInt8.self)
      unsafe next += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        unsafe cursor = unsafe next
        return value
      }
      shift &+= 7
    }
    throw unsafe last == end && remaining < 10 ? .truncated : .malformedVarint
  }

  /// Reads a length that fits into the rest of the message.
  @inlinable @inline(__always)
  mutating func length() throws(DecodingError.Reason) -> Int {
    guard unsafe cursor < end else { throw .truncated }
    var length = UInt64(unsafe cursor.load(as: UInt8.self))
    if length < 0x80 {
      unsafe cursor += 1
    } else {
      length = try longLength()
    }
    guard length <= UInt64(truncatingIfNeeded: remaining) else { throw .truncated }
    return Int(truncatingIfNeeded: length)
  }

  /// Reads a length of two to five bytes (at most 32 bits).
  @usableFromInline
  mutating func longLength() throws(DecodingError.Reason) -> UInt64 {
    let start = unsafe cursor
    let length = try longVarint()
    guard unsafe cursor - start <= 5 else {
      unsafe cursor = start
      throw .malformedLength
    }
    return length
  }

  @inlinable @inline(__always)
  mutating func fixed64() throws(DecodingError.Reason) -> UInt64 {
    guard remaining >= 8 else { throw .truncated }
    let value = unsafe cursor.loadUnaligned(as: UInt64.self)
    unsafe cursor += 8
    return UInt64(littleEndian: value)
  }

  @inlinable @inline(__always)
  mutating func fixed32() throws(DecodingError.Reason) -> UInt32 {
    guard remaining >= 4 else { throw .truncated }
    let value = unsafe cursor.loadUnaligned(as: UInt32.self)
    unsafe cursor += 4
    return UInt32(littleEndian: value)
  }

  @usableFromInline
  mutating func string() throws(DecodingError.Reason) -> String {
    let length = try length()
    let bytes = unsafe Span<UInt8>(
      _unsafeStart: cursor.assumingMemoryBound(to: UInt8.self), count: length)
    let text: UTF8Span
    do {
      text = try UTF8Span(validating: bytes)
    } catch {
      throw .invalidUTF8
    }
    unsafe cursor += length
    return String(copying: text)
  }

  @usableFromInline
  mutating func bytes() throws(DecodingError.Reason) -> [UInt8] {
    let length = try length()
    let bytes = unsafe UnsafeRawBufferPointer(start: cursor, count: length)
    unsafe cursor += length
    return unsafe [UInt8](bytes)
  }
}
