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
    guard let options, let type = pool.message(typeName),
      let message = try? DynamicMessage(options, as: type, in: pool)
    else { return [] }
    return message.setFields.filter { !Self.generatedOptions.contains($0.name) }
      .flatMap { texts(of: $0, in: message) }
  }

  /// Options that only the compiler sets.
  private static let generatedOptions: Set = ["map_entry", "uninterpreted_option"]

  /// Returns an option as text, or several for a repeated field or for features.
  private func texts(of field: FieldDescriptor, in message: DynamicMessage) -> [String] {
    let name = optionName(field)
    if field.name == "features", case .message(let features)? = message.value(of: field) {
      return features.setFields.flatMap { feature in
        texts(of: feature, in: features).map { "\(name).\($0)" }
      }
    }
    return message.protoTexts(of: field).map { "\(name) = \($0)" }
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
      jsonName != FieldDescriptor.defaultJSONName(of: field.name ?? "")
    {
      options.append("json_name = \(quotedForProto(jsonName))")
    }
    return options + optionTexts(field.options, "google.protobuf.FieldOptions")
  }

  func bracketed(_ options: [String]) -> String {
    options.isEmpty ? "" : " [\(options.joined(separator: ", "))]"
  }

  /// The names of extensions are in parentheses.
  private func optionName(_ field: FieldDescriptor) -> String {
    field.name.hasPrefix("[")
      ? "(\(typeName(String(field.name.dropFirst().dropLast()))))" : field.name
  }
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
