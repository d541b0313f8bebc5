/// A field that the message type does not declare, as encoded on the wire.
public struct UnknownField: Hashable, Sendable {
  /// A value with its wire type.
  public enum Value: Hashable, Sendable {
    /// An integer, boolean or enum; only the .proto file tells them apart.
    case varint(UInt64)
    /// Eight bytes, little-endian: fixed64, sfixed64 or double.
    case fixed64(UInt64)
    /// Four bytes, little-endian: fixed32, sfixed32 or float.
    case fixed32(UInt32)
    /// A string, bytes, a message or packed numbers.
    case lengthDelimited([UInt8])
    /// The fields between the two tags of a group, as bytes.
    case group([UInt8])
  }

  /// The field number.
  public let number: Int
  /// The value as received.
  public let value: Value
}

extension UnknownFields {
  /// The message's own unknown fields, in wire order.
  public var fields: [UnknownField] { Self.fields(in: bytes) }

  /// The number of fields, including those inside leaf sub-messages.
  public var count: Int {
    guard let contents = box.first else { return 0 }
    return contents.leaves.values.reduce(fields.count) { $0 + Self.fields(in: $1.bytes).count }
  }

  fileprivate static func fields(in bytes: [UInt8]) -> [UnknownField] {
    WireRecord.all(in: bytes[...]).compactMap { UnknownField($0, in: bytes) }
  }
}

extension UnknownField {
  init?(_ record: WireRecord, in bytes: [UInt8]) {
    number = record.number
    var rest = bytes[record.valueStart..<record.end]
    switch record.wireType {
    case .varint:
      guard let varint = WireRecord.varint(&rest) else { return nil }
      value = .varint(varint)
    case .fixed64: value = .fixed64(Self.littleEndian(rest))
    case .fixed32: value = .fixed32(UInt32(truncatingIfNeeded: Self.littleEndian(rest)))
    case .lengthDelimited:
      guard let payload = record.payload else { return nil }
      value = .lengthDelimited(Array(rest[payload]))
    case .startGroup: value = .group(Array(rest.dropLast(tagSize(record.number))))
    case .endGroup, nil: return nil
    }
  }

  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

// MARK: As text

extension UnknownFields: CustomStringConvertible {
  /// The fields in braces, `{15: 1, 16: "a"}`. Fields inside leaf sub-messages are prefixed with
  /// the number of the sub-message's field: `{2.15: 1}`.
  public var description: String {
    let own = fields.map(\.description)
    let places = (box.first?.leaves ?? [:]).sorted {
      ($0.key.field, $0.key.index) < ($1.key.field, $1.key.index)
    }
    let leaves = places.flatMap { place, entry in
      Self.fields(in: entry.bytes).map { "\(place.field).\($0)" }
    }
    return "{" + (own + leaves).joined(separator: ", ") + "}"
  }
}

extension UnknownField: CustomStringConvertible {
  /// Field number and value: `15: 1`, `16: "a"`, `17: {1: 5}`.
  public var description: String { "\(number): \(value)" }
}

extension UnknownField.Value: CustomStringConvertible {
  /// Varints in decimal, fixed-size integers in hexadecimal, text in quotes, other bytes in
  /// hexadecimal, groups in braces.
  public var description: String {
    switch self {
    case .varint(let value): "\(value)"
    case .fixed64(let value): "0x" + String(value, radix: 16)
    case .fixed32(let value): "0x" + String(value, radix: 16)
    case .lengthDelimited(let bytes): Self.text(bytes)
    case .group(let bytes):
      "{" + UnknownFields.fields(in: bytes).map(\.description).joined(separator: ", ") + "}"
    }
  }

  /// Returns printable text in quotes and other bytes as hexadecimal digits.
  private static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0 >= " " && $0 != "\u{7F}" })
    {
      return text.debugDescription
    }
    return "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
