import ProtobufDescriptors
import WireProtobuf

// Standard options of google.protobuf, and custom options, which are extensions.

extension ProtoText {
  mutating func options<Options: Message>(_ options: Options?, _ typeName: String) {
    for option in optionTexts(options, typeName) { line("option \(option);") }
  }

  /// Returns options as text: `deprecated = true`, `(google.api.http) = { get: "/v1/{name}" }`.
  func optionTexts<Options: Message>(_ options: Options?, _ typeName: String) -> [String] {
    // If descriptor.proto is not in the pool, the names are unknown.
    guard let options, let type = pool.message(typeName) else { return [] }
    var count = 0
    guard
      let message = try? DynamicMessage(
        serializedBytes: options.serializedBytes(), as: type, in: pool, unknownFieldCount: &count)
    else { return [] }
    return message.setFields.filter { $0.name != "map_entry" && $0.name != "uninterpreted_option" }
      .map { "\(Self.optionName($0)) = \(message.protoText(of: $0))" }
  }

  func fieldOptions(_ field: FieldDescriptorProto) -> [String] {
    var options: [String] = []
    if let value = field.defaultValue {
      // The default of a bytes field is already escaped.
      let isPlain = field.type != .string && field.type != .bytes && value.utf8.allSatisfy(isPlain)
      options.append(
        "default = " + (isPlain ? value : quotedForProto(value, escapes: field.type != .bytes)))
    }
    if let jsonName = field.jsonName, field.extendee == nil,
      jsonName != PoolBuilder.defaultJSONName(of: field.name ?? "")
    {
      options.append("json_name = \(quotedForProto(jsonName))")
    }
    return options + optionTexts(field.options, "google.protobuf.FieldOptions")
  }

  func bracketed(_ options: [String]) -> String {
    options.isEmpty ? "" : " [\(options.joined(separator: ", "))]"
  }

  /// The names of extensions are in parentheses.
  private static func optionName(_ field: FieldDescriptor) -> String {
    field.name.hasPrefix("[") ? "(\(field.name.dropFirst().dropLast()))" : field.name
  }
}

extension DynamicMessage {
  /// Returns the value of a field in the syntax of options.
  fileprivate func protoText(of field: FieldDescriptor) -> String {
    switch fields[field.number] {
    case .one(let value): return text(value, field.type)
    case .list(let values):
      return "[" + values.map { text($0, field.type) }.joined(separator: ", ") + "]"
    case .map, nil: return "{ … }"
    }
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
    case .bytes(let value): return quotedForProto(String(decoding: value, as: UTF8.self))
    case .enum(let number):
      guard case .enum(let index) = type else { return "\(number)" }
      return pool.enums[index].name(number) ?? "\(number)"
    case .message(let message):
      let fields = message.setFields.map { "\($0.name): \(message.protoText(of: $0))" }
      return fields.isEmpty ? "{}" : "{ " + fields.joined(separator: ", ") + " }"
    }
  }
}

/// Returns quoted text, escaped for a .proto file.
///
/// - Parameter escapes: whether quotes and backslashes are escaped.
func quotedForProto(_ text: String, escapes: Bool = true) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += (escapes ? "\\" : "") + String(scalar)
    case "\n": result += "\\n"
    case _ where scalar.properties.generalCategory == .control || scalar.value > 0x7E:
      for byte in String(scalar).utf8 {
        let digits = String(byte, radix: 8)
        result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// Whether a byte may occur in a number or a name.
private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
    UInt8(ascii: "-"), UInt8(ascii: "+"):
    true
  default: false
  }
}
