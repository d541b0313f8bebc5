/// Writes the binary form of messages into memory of a given size, in one pass.
///
/// Only this type and `_FixedLayoutWriter` store to raw memory. `makeRoom(_:)` checks once per field that the value fits
/// with `fieldRoom` spare bytes for tags, lengths and a number; the `put` methods rely on it. The
/// length of a sub-message is written after the sub-message: see `open(_:)`.
@safe
public struct WireWriter {
  /// The message is larger than the memory.
  public enum Full: Error {
    /// The next field does not fit.
    case full
  }

  public typealias Failure = Full

  @usableFromInline var cursor: UnsafeMutableRawPointer
  @usableFromInline let end: UnsafeMutableRawPointer

  /// Room for two tags, a length and a number: 5 + 5 + 5 + 10 bytes.
  @inlinable
  static var fieldRoom: Int { 25 }

  /// - Parameter output: must outlive the writer.
  @usableFromInline
  init(_ output: UnsafeMutableRawBufferPointer) {
    // An empty buffer may have no address. Nothing is stored to it, so any address will do.
    let start =
      unsafe output.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
    unsafe cursor = start
    unsafe end = start + output.count
  }

  /// Checks that `count` bytes and the fixed-size parts of a field fit.
  @inlinable @inline(__always)
  package func makeRoom(_ count: Int = 0) throws(Full) {
    if unsafe end - cursor < count &+ Self.fieldRoom { throw .full }
  }
}

// MARK: Parts of a field

extension WireWriter {
  @inlinable @inline(__always)
  mutating func advance(_ count: Int) -> UnsafeMutableRawPointer {
    assert(unsafe end - cursor >= count, "no room was made")
    let start = unsafe cursor
    unsafe cursor += count
    return unsafe start
  }

  @inlinable @inline(__always)
  package mutating func put(tag number: Int, _ wireType: WireType) {
    put(varint: WireProtobuf.tag(number, wireType))
  }

  @inlinable @inline(__always)
  package mutating func put(varint value: UInt64) {
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
    while rest >= 0x80 {
      unsafe advance(1).storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      rest >>= 7
    }
    unsafe advance(1).storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
  }

  @inlinable @inline(__always)
  mutating func put(fixed64 value: UInt64) {
    unsafe advance(8).storeBytes(of: value.littleEndian, as: UInt64.self)
  }

  @inlinable @inline(__always)
  mutating func put(fixed32 value: UInt32) {
    unsafe advance(4).storeBytes(of: value.littleEndian, as: UInt32.self)
  }

  /// Writes the bytes alone. Calls `makeRoom(_:)` itself.
  @inlinable
  package mutating func put(bytes: [UInt8]) throws(Full) {
    guard !bytes.isEmpty else { return }
    try makeRoom(bytes.count)
    let start = unsafe advance(bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      unsafe start.copyMemory(
        from: source.baseAddress.unsafelyUnwrapped, byteCount: source.count)
    }
  }

  /// Writes the length and the UTF-8 bytes. Calls `makeRoom(_:)` itself.
  @usableFromInline
  mutating func put(string: String) throws(Full) {
    let count = string.utf8.count
    try makeRoom(count)
    put(varint: UInt64(truncatingIfNeeded: count))
    let start = unsafe advance(count)
    let isCopied: Void? = unsafe string.utf8.withContiguousStorageIfAvailable { source in
      guard let base = source.baseAddress else { return }
      unsafe start.copyMemory(from: base, byteCount: source.count)
    }
    guard isCopied == nil else { return }
    // Bridged Foundation strings on Apple platforms have no contiguous storage.
    for (offset, byte) in string.utf8.enumerated() {
      unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
  }
}

// MARK: Sub-messages

extension WireWriter {
  /// A sub-message that is being written.
  @usableFromInline @safe
  struct Open {
    /// The address of its length.
    @usableFromInline let length: UnsafeMutableRawPointer
    /// The bytes reserved for the length.
    @usableFromInline let room: Int

    @inlinable
    init(_ length: UnsafeMutableRawPointer, room: Int) {
      unsafe self.length = length
      self.room = room
    }
  }

  /// Reserves room for the length of the next sub-message.
  ///
  /// - Parameter room: the expected size of the length in bytes. If it turns out wrong, the
  ///   sub-message is moved when it is closed.
  @inlinable @inline(__always)
  mutating func open(_ room: Int = 1) -> Open {
    unsafe Open(advance(room), room: room)
  }

  @inlinable @inline(__always)
  mutating func close(_ open: Open) throws(Full) {
    let size = unsafe cursor - open.length - open.room
    if open.room == 1 && size < 0x80 {
      unsafe open.length.storeBytes(of: UInt8(truncatingIfNeeded: size), as: UInt8.self)
    } else {
      try closeLong(open, size)
    }
  }

  @usableFromInline
  mutating func closeLong(_ open: Open, _ size: Int) throws(Full) {
    let room = varintSize(UInt64(truncatingIfNeeded: size))
    if room != open.room {
      if unsafe end - cursor < room - open.room { throw .full }
      unsafe (open.length + room).copyMemory(from: open.length + open.room, byteCount: size)
    }
    unsafe cursor = open.length
    put(varint: UInt64(truncatingIfNeeded: size))
    unsafe cursor += size
  }
}
