package import ProtobufDescriptors
import WireProtobuf

/// A message type.
package final class MessageDescriptor: Sendable {
  /// "maps.fleetengine.v1.Trip".
  package let fullName: String
  /// As it was compiled.
  package let proto: DescriptorProto
  /// Where its file is in ``DescriptorPool/files``.
  package let file: Int
  /// By number, without extensions.
  package let fields: [FieldDescriptor]
  /// Whether the messages are the entries of a map.
  let isMapEntry: Bool
  /// Whether extensions are written as the items of a message set (`message_set_wire_format`).
  let isMessageSet: Bool
  let form: JSONForm
  private let byNumber: [Int: FieldDescriptor]
  private let byName: [String: FieldDescriptor]

  /// What the JSON of a message looks like.
  enum JSONForm {
    case object
    /// google.protobuf.Any.
    case any
    /// A well-known type with a form of its own.
    case custom(any Message.Type)
  }

  init(
    fullName: String, proto: DescriptorProto, file: Int, fields: [FieldDescriptor],
    extensions: [FieldDescriptor]
  ) {
    self.fullName = fullName
    self.proto = proto
    self.file = file
    self.fields = fields.sorted { $0.number < $1.number }
    isMapEntry = proto.options?.mapEntry == true
    isMessageSet = proto.isMessageSet
    if fullName == AnyMessage.messageName {
      form = .any
    } else if let type = TypeRegistry.customJSONType(named: fullName) {
      form = .custom(type)
    } else {
      form = .object
    }
    var byNumber: [Int: FieldDescriptor] = [:]
    var byName: [String: FieldDescriptor] = [:]
    // Where the JSON name of a field is the name of another, it is the field's in JSON.
    for field in fields { byName[field.name] = field }
    for field in fields + extensions {
      byNumber[field.number] = field
      byName[field.jsonName] = field
    }
    self.byNumber = byNumber
    self.byName = byName
  }

  /// The field or extension of a number.
  package subscript(number: Int) -> FieldDescriptor? { byNumber[number] }

  /// The field of a name, in JSON or in the .proto file; the extension of one in brackets.
  package subscript(name: String) -> FieldDescriptor? {
    // Names are ASCII; to look for others could take long.
    name.utf8.allSatisfy { $0 < 0x80 } ? byName[name] : nil
  }

  /// The name without its package and what it is nested in.
  package var shortName: String { proto.name ?? "" }

  /// Of the fields in JSON, for suggestions.
  var jsonNames: [String] { fields.map(\.jsonName) }

  var hasCustomJSON: Bool {
    if case .object = form { false } else { true }
  }

  /// Whether null in JSON is a value of it.
  var hasJSONNull: Bool {
    if case .custom(let type) = form { type == Value.self } else { false }
  }
}

extension DescriptorProto {
  var isMessageSet: Bool { options?.messageSetWireFormat == true }

  /// The greatest number that a tag has room for.
  static let greatestTagNumber = 536_870_911

  /// The greatest number of a field. That of an extension of a message set is not in a tag.
  var greatestFieldNumber: Int { isMessageSet ? 2_147_483_646 : Self.greatestTagNumber }
}
