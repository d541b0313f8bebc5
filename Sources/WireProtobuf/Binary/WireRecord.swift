/// A tag and its value, as much of it as there is: the binary form as it can be walked without
/// knowing the message.
struct WireRecord {
  let number: Int
  /// Nil for 6 and 7, which mean nothing.
  let wireType: WireType?
  let start: Int
  /// Where the tag ends.
  let valueStart: Int
  let end: Int
  /// What a length-delimited value should span; the upper bound may lie past the input.
  var payload: Range<Int>?

  /// Takes the next field off the bytes; nil when there is no whole tag.
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

  /// The fields of a message, in the order in which they are there.
  static func all(in message: ArraySlice<UInt8>) -> [WireRecord] {
    var rest = message
    var records: [WireRecord] = []
    while let record = WireRecord(&rest) { records.append(record) }
    return records
  }

  /// Skips a value; of one that is truncated, to the end.
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
    for (index, byte) in bytes.prefix(10).enumerated() {
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte < 0x80 {
        bytes = bytes.dropFirst(index + 1)
        return value
      }
    }
    return nil
  }
}
