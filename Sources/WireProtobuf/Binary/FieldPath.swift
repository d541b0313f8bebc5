// Where a fault is. Decoding itself keeps no path: after a fault the input is walked again, down
// to the field in which the reader stopped.

extension WireReader {
  /// The error for a fault that ``Message/read(from:)`` threw.
  @usableFromInline
  func error(
    _ reason: DecodingError.Reason, in input: UnsafeRawBufferPointer, of type: any Message.Type
  ) -> DecodingError {
    let offset = unsafe input.baseAddress.map { start in unsafe cursor - start } ?? 0
    // After a tag the reader may stand at the end of the message; the byte before is in the field.
    let probe = reason == .truncatedTag || reason == .malformedTag ? offset : offset - 1
    let name = type.messageName.split(separator: ".").last.map(String.init) ?? ""
    var path = FieldPath(text: name)
    path.descend(into: type.fields, unsafe [UInt8](input)[...], to: probe)
    return DecodingError(reason: reason, fieldPath: path.text, byteOffset: offset)
  }
}

private struct FieldPath {
  var text: String

  /// Adds the fields that span the byte at an offset.
  mutating func descend(into fields: FieldTable?, _ message: ArraySlice<UInt8>, to offset: Int) {
    var rest = message
    var seen: [Int: Int] = [:]
    while let record = Record(&rest) {
      let index = seen[record.number, default: 0]
      seen[record.number] = index + 1
      guard offset < record.end else { continue }
      guard offset >= record.start else { return }

      let field = fields?[record.number]
      text += "." + (field.map { "\($0.name)" } ?? "\(record.number)")
      if let field, field.cardinality != .singular { text += "[\(index)]" }
      guard let payload = record.payload, payload.contains(offset) else { return }
      let inner = message[payload.clamped(to: message.indices)]
      if let field, field.cardinality == .map {
        descend(into: .mapEntry(field.message), inner, to: offset)
      } else if let type = field?.message {
        descend(into: type.fields, inner, to: offset)
      }
      return
    }
  }
}

/// A tag and its value, as much of it as there is.
private struct Record {
  let number: Int
  let start: Int
  let end: Int
  /// What a length-delimited value should span; the upper bound may lie past the input.
  var payload: Range<Int>?

  /// Takes the next field off the bytes; nil when there is no whole tag.
  init?(_ rest: inout ArraySlice<UInt8>) {
    start = rest.startIndex
    guard let tag = Self.varint(&rest), tag <= UInt32.max else { return nil }
    number = Int(truncatingIfNeeded: tag >> 3)
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

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
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
