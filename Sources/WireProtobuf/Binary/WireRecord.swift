/// A tag and as much of its value as the input holds, read without knowing the message type.
struct WireRecord {
  let number: Int
  /// Nil for the wire types 6 and 7, which are undefined.
  let wireType: WireType?
  let start: Int
  /// The end of the tag.
  let valueStart: Int
  let end: Int
  /// The range of a length-delimited value; its upper bound may be past the end of the input.
  var payload: Range<Int>?

  /// Takes the next field off the bytes; nil if no complete tag is left.
  init?(_ rest: inout ArraySlice<UInt8>) {
    var position = 0
    unsafe self.init(rest.span.bytes, at: &position, start: rest.startIndex)
    rest = rest.dropFirst(position)
  }

  /// Reads the field at a position and moves the position to its end; nil if there is no complete tag.
  ///
  /// - Parameter start: the index of the first byte.
  init?(_ bytes: RawSpan, at position: inout Int, start first: Int = 0) {
    start = first + position
    guard let tag = Self.varint(bytes, at: &position), tag <= UInt32.max else { return nil }
    number = Int(truncatingIfNeeded: tag >> 3)
    wireType = WireType(rawValue: UInt8(tag & 7))
    valueStart = first + position
    let content = Self.skip(tag, bytes, at: &position)
    payload = content.map { range in
      let (end, overflow) = range.upperBound.addingReportingOverflow(first)
      return first + range.lowerBound..<(overflow ? .max : end)
    }
    var depth = tag & 7 == UInt64(WireType.startGroup.rawValue) ? 1 : 0
    while depth > 0, let inner = Self.varint(bytes, at: &position) {
      switch WireType(rawValue: UInt8(inner & 7)) {
      case .startGroup: depth += 1
      case .endGroup: depth -= 1
      default: _ = Self.skip(inner, bytes, at: &position)
      }
    }
    end = first + position
  }

  /// The fields of a message, in wire order.
  static func all(in message: ArraySlice<UInt8>) -> [WireRecord] {
    var rest = message
    var records: [WireRecord] = []
    while let record = WireRecord(&rest) { records.append(record) }
    return records
  }

  /// Skips a value; skips to the end if the value is truncated.
  private static func skip(_ tag: UInt64, _ bytes: RawSpan, at position: inout Int) -> Range<Int>? {
    func advance(_ count: Int) {
      position += min(count, bytes.byteCount - position)
    }
    switch WireType(rawValue: UInt8(tag & 7)) {
    case .varint:
      if varint(bytes, at: &position) == nil { position = bytes.byteCount }
    case .fixed64: advance(8)
    case .fixed32: advance(4)
    case .lengthDelimited:
      guard let length = varint(bytes, at: &position).map(Int.init(clamping:)) else {
        position = bytes.byteCount
        return nil
      }
      let start = position
      let (end, overflow) = start.addingReportingOverflow(length)
      advance(length)
      return start..<(overflow ? .max : end)
    case .startGroup, .endGroup, nil: break
    }
    return nil
  }

  static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var position = 0
    defer { bytes = bytes.dropFirst(position) }
    return unsafe varint(bytes.span.bytes, at: &position)
  }

  /// Moves the position only if there is a complete varint.
  private static func varint(_ bytes: RawSpan, at position: inout Int) -> UInt64? {
    var value: UInt64 = 0
    var (index, shift) = (position, UInt64(0))
    while index < bytes.byteCount, shift < 70 {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      value |= UInt64(byte & 0x7F) << shift
      index += 1
      if byte < 0x80 {
        position = index
        return value
      }
      shift += 7
    }
    return nil
  }
}
