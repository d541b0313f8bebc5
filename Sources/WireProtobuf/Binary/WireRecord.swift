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
    start = rest.startIndex
    guard let tag = Self.varint(&rest), tag <= UInt32.max else { return nil }
    number = Int(truncatingIfNeeded: tag >> 3)
    wireType = WireType(rawValue: UInt8(tag & 7))
    valueStart = rest.startIndex
    payload = Self.skip(tag, &rest)
    var depth = tag & 7 == UInt64(WireType.startGroup.rawValue) ? 1 : 0
    while depth > 0, let inner = Self.varint(&rest) {
      switch WireType(rawValue: UInt8(inner & 7)) {
      case .startGroup: depth += 1
      case .endGroup: depth -= 1
      default: _ = Self.skip(inner, &rest)
      }
    }
    end = rest.startIndex
  }

  /// The fields of a message, in wire order.
  static func all(in message: ArraySlice<UInt8>) -> [WireRecord] {
    var rest = message
    var records: [WireRecord] = []
    while let record = WireRecord(&rest) { records.append(record) }
    return records
  }

  /// Skips a value; skips to the end if the value is truncated.
  private static func skip(_ tag: UInt64, _ rest: inout ArraySlice<UInt8>) -> Range<Int>? {
    switch WireType(rawValue: UInt8(tag & 7)) {
    case .varint:
      if varint(&rest) == nil { rest = rest.suffix(0) }
    case .fixed64: rest = rest.dropFirst(8)
    case .fixed32: rest = rest.dropFirst(4)
    case .lengthDelimited:
      guard let length = varint(&rest).map(Int.init(clamping:)) else {
        rest = rest.suffix(0)
        return nil
      }
      let (end, overflow) = rest.startIndex.addingReportingOverflow(length)
      defer { rest = rest.dropFirst(length) }
      return rest.startIndex..<(overflow ? .max : end)
    case .startGroup, .endGroup, nil: break
    }
    return nil
  }

  static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    var (index, shift) = (bytes.startIndex, UInt64(0))
    while index < bytes.endIndex, shift < 70 {
      let byte = bytes[index]
      value |= UInt64(byte & 0x7F) << shift
      index += 1
      if byte < 0x80 {
        bytes = bytes[index...]
        return value
      }
      shift += 7
    }
    return nil
  }
}
