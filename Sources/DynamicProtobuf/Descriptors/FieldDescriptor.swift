package import ProtobufDescriptors
package import WireProtobuf

/// A field of a message type, or an extension of one.
package final class FieldDescriptor: Sendable {
  package let proto: FieldDescriptorProto
  package let number: Int
  /// The name in the .proto file; an extension's with its package, in brackets.
  package let name: String
  /// The name in JSON.
  package let jsonName: String
  package let type: FieldType
  package let cardinality: WireProtobuf.FieldDescriptor.Cardinality
  /// Whether it can be said to be unset.
  let hasPresence: Bool
  let isRequired: Bool
  /// Whether numbers are written under one tag.
  let isPacked: Bool
  /// How messages are written.
  let encoding: MessageEncoding
  /// Whether text that is no UTF-8 is refused.
  let checksUTF8: Bool
  /// The index of the oneof; nil for the one that stands for `optional`.
  package let oneof: Int?

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
}

/// How a message in a field is written.
enum MessageEncoding {
  case lengthPrefixed
  case group
  case messageSetItem
}

/// What the values of a field are.
package enum FieldType: Sendable {
  case scalar(any DynamicKind.Type)
  /// With its place in ``DescriptorPool/enums``.
  case `enum`(Int)
  /// With its place in ``DescriptorPool/messages``.
  case message(Int)
}
