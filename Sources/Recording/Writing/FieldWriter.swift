import WireGRPC
import WireProtobuf

/// Writes fields of protobuf messages into memory in which there is room for them: those that have their
/// default are left out.
@safe
struct FieldWriter {
  /// What a field takes at most besides the bytes of a text: a tag, and a number or a length.
  static let fieldRoom = 11

  private let start: UnsafeMutableRawPointer
  private var cursor: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer

  /// The memory must outlive the writer.
  init(_ memory: UnsafeMutableRawBufferPointer) {
    // There is always some.
    unsafe start = memory.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
    unsafe cursor = start
    unsafe end = start + memory.count
  }

  /// How many bytes were written.
  var size: Int { unsafe cursor - start }

  /// Leaves some bytes out.
  mutating func skip(_ count: Int) {
    _ = unsafe advance(count)
  }

  @inline(__always)
  private mutating func advance(_ count: Int) -> UnsafeMutableRawPointer {
    // Who calls has made room: with this a mistake there writes to nobody else's memory.
    unsafe precondition(end - cursor >= count, "too little room was made for an entry")
    defer { unsafe cursor += count }
    return unsafe cursor
  }

  @inline(__always)
  private mutating func put(varint value: UInt64) {
    if value < 0x80 {
      unsafe advance(1).storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
    } else {
      putLong(varint: value)
    }
  }

  private mutating func putLong(varint value: UInt64) {
    var rest = value
    var place = unsafe advance(varintSize(value))
    while rest >= 0x80 {
      unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      unsafe place += 1
      rest >>= 7
    }
    unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
  }

  /// The beginning of a field of so many bytes.
  @inline(__always)
  mutating func put(tag number: UInt8, _ size: Int) {
    put(varint: UInt64(number << 3 | 2))
    put(varint: UInt64(size))
  }

  @inline(__always)
  mutating func put(_ number: UInt8, _ value: UInt64) {
    guard value != 0 else { return }
    put(varint: UInt64(number << 3))
    put(varint: value)
  }

  /// - Parameters:
  ///   - credentials: what asterisks are written over.
  ///   - isCutShort: whether more would have come.
  mutating func put(
    _ number: UInt8, _ data: some Collection<UInt8>, without credentials: [Credential] = [],
    isCutShort: Bool = false
  ) {
    guard !data.isEmpty else { return }
    put(tag: number, data.count)
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: advance(data.count), count: data.count)
    unsafe bytes.copyBytes(from: data)
    if !credentials.isEmpty { unsafe credentials.redact(bytes, isCutShort: isCutShort) }
  }

  /// A Timestamp or a Duration.
  mutating func put(_ number: UInt8, messageOf seconds: Int64, _ nanos: Int32) {
    let (seconds, nanos) = (UInt64(bitPattern: seconds), UInt64(bitPattern: Int64(nanos)))
    put(tag: number, Self.size(of: seconds) + Self.size(of: nanos))
    put(1, seconds)
    put(2, nanos)
  }
}

// MARK: Messages whose size is not known

extension FieldWriter {
  /// A message that is being written.
  struct Open {
    fileprivate let number: UInt8
    fileprivate let start: Int
    /// How many bytes were left for its length.
    fileprivate let room: Int
  }

  /// - Parameter limit: how many bytes it may take.
  mutating func open(_ number: UInt8, limit: Int) -> Open {
    let open = Open(number: number, start: size, room: limit < 256 ? 1 : 2)
    skip(1 + open.room)
    return open
  }

  /// - Parameter keepsEmpty: whether it is written even if it has no fields.
  mutating func close(_ open: Open, keepsEmpty: Bool = true) {
    let count = size - open.start - 1 - open.room
    let contents = unsafe cursor - count
    unsafe cursor = start + open.start
    guard count > 0 || keepsEmpty else { return }
    let room = varintSize(UInt64(count))
    if room != open.room {
      unsafe precondition(end - cursor > room + count, "too little room was made for an entry")
      unsafe (cursor + 1 + room).copyMemory(from: contents, byteCount: count)
    }
    put(tag: open.number, count)
    skip(count)
  }
}

// MARK: Sizes

extension FieldWriter {
  /// How many bytes a number takes as a field.
  static func size(of value: UInt64) -> Int {
    value == 0 ? 0 : 1 + varintSize(value)
  }

  /// How many bytes so many bytes take as a field.
  static func size(of count: Int) -> Int {
    count == 0 ? 0 : 1 + varintSize(UInt64(count)) + count
  }
}
