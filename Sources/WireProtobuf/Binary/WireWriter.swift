/// Writes the binary form of messages into memory of exactly the size ``SizeCounter`` found.
///
/// The one place that stores to raw memory. Both passes go through the same list of fields of an
/// immutable value, so they agree; each store is checked against the end nevertheless, and a
/// message type that breaks the rule stops the program rather than write past it.
@safe
public struct WireWriter {
  public typealias Failure = Never

  @usableFromInline var cursor: UnsafeMutableRawPointer
  @usableFromInline let end: UnsafeMutableRawPointer
  /// The sizes of the sub-messages still to come.
  @usableFromInline var sizes: UnsafePointer<Int>

  @usableFromInline
  init(_ output: UnsafeMutableRawBufferPointer, sizes: UnsafeMutableBufferPointer<Int>) {
    // An empty buffer may have no address; any will do, nothing is stored to it.
    let start =
      unsafe output.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
    unsafe cursor = start
    unsafe end = start + output.count
    unsafe self.sizes = UnsafePointer(
      sizes.baseAddress ?? UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped)
  }

  @inlinable
  var isFull: Bool { unsafe cursor == end }

  @inlinable @inline(__always)
  mutating func advance(_ count: Int) -> UnsafeMutableRawPointer {
    precondition(unsafe end - cursor >= count, "a message wrote more than it measured")
    let start = unsafe cursor
    unsafe cursor += count
    return unsafe start
  }

  @inlinable @inline(__always)
  mutating func put(tag number: Int, _ wireType: WireType) {
    put(varint: WireProtobuf.tag(number, wireType))
  }

  @inlinable @inline(__always)
  mutating func put(varint value: UInt64) {
    if value < 0x80 {
      unsafe advance(1).storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
    } else if value < 0x4000 {
      let both = UInt16(truncatingIfNeeded: (value & 0x7F) | 0x80 | ((value >> 7) << 8))
      unsafe advance(2).storeBytes(of: both.littleEndian, as: UInt16.self)
    } else {
      putLong(varint: value)
    }
  }

  @usableFromInline
  mutating func putLong(varint value: UInt64) {
    var rest = value
    let start = unsafe advance(varintSize(value))
    var offset = 0
    while rest >= 0x80 {
      unsafe start.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: offset, as: UInt8.self)
      rest >>= 7
      offset &+= 1
    }
    unsafe start.storeBytes(
      of: UInt8(truncatingIfNeeded: rest), toByteOffset: offset, as: UInt8.self)
  }

  @inlinable @inline(__always)
  mutating func put(fixed64 value: UInt64) {
    unsafe advance(8).storeBytes(of: value.littleEndian, as: UInt64.self)
  }

  @inlinable @inline(__always)
  mutating func put(fixed32 value: UInt32) {
    unsafe advance(4).storeBytes(of: value.littleEndian, as: UInt32.self)
  }

  @inlinable
  mutating func put(bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let start = unsafe advance(bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      unsafe start.copyMemory(
        from: source.baseAddress.unsafelyUnwrapped, byteCount: source.count)
    }
  }

  /// Length and UTF-8.
  @usableFromInline
  mutating func put(string: String) {
    let utf8 = string.utf8.span
    put(varint: UInt64(truncatingIfNeeded: utf8.count))
    unsafe utf8.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      unsafe advance(source.count).copyMemory(from: base, byteCount: source.count)
    }
  }

  /// The length of the sub-message that comes next.
  @inlinable @inline(__always)
  mutating func putMeasuredLength() {
    put(varint: UInt64(truncatingIfNeeded: unsafe sizes.pointee))
    unsafe sizes += 1
  }
}
