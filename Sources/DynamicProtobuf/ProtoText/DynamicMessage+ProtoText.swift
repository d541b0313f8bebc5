import WireProtobuf

// Values in the syntax of options, which is protobuf's text format inside messages.

extension DynamicMessage {
  /// Returns the value of a field, or each value of a repeated field.
  func protoTexts(of field: FieldDescriptor) -> [String] {
    switch fields[field] {
    case .one(let value): [text(value, field.type)]
    case .list(let values): values.map { text($0, field.type) }
    case .map(let entries):
      entries.sorted { $0.key < $1.key }.map {
        "{ key: \($0.key.protoText), value: \(text($0.value, valueType(field))) }"
      }
    case nil: []
    }
  }

  private func valueType(_ field: FieldDescriptor) -> FieldType {
    guard case .message(let entry) = field.type, let value = pool.messages[entry][2] else {
      return field.type
    }
    return value.type
  }

  private func text(_ value: DynamicValue, _ type: FieldType) -> String {
    switch value {
    case .int32(let value): return "\(value)"
    case .int64(let value): return "\(value)"
    case .uint32(let value): return "\(value)"
    case .uint64(let value): return "\(value)"
    case .float(let value): return "\(value)"
    case .double(let value): return "\(value)"
    case .bool(let value): return "\(value)"
    case .string(let value): return quotedForProto(value)
    case .bytes(let value): return quotedForProto(bytes: value)
    case .enum(let number):
      guard case .enum(let index) = type else { return "\(number)" }
      return pool.enums[index].name(number) ?? "\(number)"
    case .message(let message):
      let fields = message.setFields.map { field in
        let texts = message.protoTexts(of: field)
        let isList = field.cardinality != .singular
        return "\(message.textName(field)): "
          + (isList ? "[\(texts.joined(separator: ", "))]" : texts.joined())
      }
      return fields.isEmpty ? "{}" : "{ " + fields.joined(separator: ", ") + " }"
    }
  }

  /// The name in protobuf's text format, where a group has the name of its type.
  private func textName(_ field: FieldDescriptor) -> String {
    guard field.encoding == .group, case .message(let index) = field.type else { return field.name }
    let name = pool.messages[index].shortName
    return field.name == name.lowercased() ? name : field.name
  }
}

extension MapKey {
  fileprivate var protoText: String {
    switch self {
    case .bool(let value): "\(value)"
    case .signed(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .utf8(let bytes): quotedForProto(bytes: bytes)
    }
  }
}

/// Returns quoted text. Characters that cannot be seen are escaped.
///
/// - Parameter escapes: whether quotes and backslashes are escaped.
func quotedForProto(_ text: String, escapes: Bool = true) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += (escapes ? "\\" : "") + String(scalar)
    case "\n": result += "\\n"
    case _ where scalar.isInvisible: result += String(scalar).utf8.map(octal).joined()
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// Returns quoted bytes. Bytes that are not printable ASCII are escaped.
private func quotedForProto(bytes: [UInt8]) -> String {
  let parts = bytes.map { byte in
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
    case UInt8(ascii: "\n"): "\\n"
    case 0x20...0x7E: String(UnicodeScalar(byte))
    default: octal(byte)
    }
  }
  return "\"" + parts.joined() + "\""
}

/// Returns a byte as an escape of three octal digits.
private func octal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 8)
  return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
}
