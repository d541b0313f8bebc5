package import ProtobufDescriptors
package import WireProtobuf

/// A field of a message type, or an extension of one.
package final class FieldDescriptor: Sendable {
  package let proto: FieldDescriptorProto
  package let number: Int
  /// The name in the .proto file; for an extension its full name in brackets.
  package let name: String
  /// The name in JSON.
  package let jsonName: String
  package let type: FieldType
  package let cardinality: WireProtobuf.FieldDescriptor.Cardinality
  /// Whether an unset field differs from one with the default value.
  package let hasPresence: Bool
  let isRequired: Bool
  /// Whether elements are packed under one tag.
  let isPacked: Bool
  let encoding: MessageEncoding
  /// Whether text that is not UTF-8 is rejected.
  let checksUTF8: Bool
  /// The index of the oneof; nil for the synthetic oneof of `optional`.
  let oneof: Int?

  init(
    _ proto: FieldDescriptorProto, number: Int, name: String, jsonName: String, type: FieldType,
    cardinality: WireProtobuf.FieldDescriptor.Cardinality, features: Features, oneof: Int?,
    isExtension: Bool, encoding: MessageEncoding
  ) {
    self.proto = proto
    self.number = number
    self.name = name
    self.jsonName = jsonName
    self.type = type
    self.cardinality = cardinality
    self.oneof = oneof
    let isMessage = if case .message = type { true } else { false }
    hasPresence =
      cardinality == .singular
      && (isMessage || oneof != nil || isExtension || proto.proto3Optional == true
        || features.presence != .implicit)
    isRequired = proto.label == .required || features.presence == .required && !isExtension
    isPacked = features.isPacked
    self.encoding = encoding
    checksUTF8 = features.checksUTF8
  }

  /// Returns the JSON name that protoc derives from a name: a letter after an underscore is capitalized.
  package static func defaultJSONName(of name: String) -> String {
    var result = ""
    var isAfterUnderscore = false
    for character in name {
      if character == "_" {
        isAfterUnderscore = true
      } else {
        result += isAfterUnderscore ? character.uppercased() : String(character)
        isAfterUnderscore = false
      }
    }
    return result
  }
}

enum MessageEncoding {
  case lengthPrefixed
  case group
  case messageSetItem
}

/// The type of a field's values.
package enum FieldType: Sendable {
  case scalar(any DynamicKind.Type)
  /// The index in ``DescriptorPool/enums``.
  case `enum`(Int)
  /// The index in ``DescriptorPool/messages``.
  case message(Int)
}
