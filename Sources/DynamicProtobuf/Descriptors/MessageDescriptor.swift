package import ProtobufDescriptors
import WireProtobuf
import WireSystem

package final class MessageDescriptor: Sendable {
  /// The full name, such as "maps.fleetengine.v1.Trip".
  package let fullName: String
  /// The descriptor as compiled.
  package let proto: DescriptorProto
  /// The index of its file in ``DescriptorPool/files``.
  package let file: Int
  /// The fields by number, without extensions.
  package let fields: [FieldDescriptor]
  let isMapEntry: Bool
  /// Whether extensions are encoded as items of a message set (`message_set_wire_format`).
  let isMessageSet: Bool
  let form: JSONForm
  /// The fields and extensions by number.
  private let byNumber: [FieldDescriptor]
  private let byName: [String: FieldDescriptor]

  enum JSONForm {
    case object
    /// google.protobuf.Any.
    case any
    /// A well-known type with its own form.
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
    var byName: [String: FieldDescriptor] = [:]
    // If the JSON name of one field is the .proto name of another, JSON uses the former.
    for field in fields { byName[field.name] = field }
    for field in fields + extensions {
      byName[field.jsonName] = field
    }
    byNumber = (fields + extensions).sorted { $0.number < $1.number }
    self.byName = byName
  }

  /// The field or extension with a number.
  package subscript(number: Int) -> FieldDescriptor? {
    let index = byNumber.partitioningIndex { $0.number >= number }
    return index < byNumber.count && byNumber[index].number == number ? byNumber[index] : nil
  }

  /// The field with a JSON or .proto name, or the extension with a name in brackets.
  package subscript(name: String) -> FieldDescriptor? {
    // Names are ASCII. Looking up other strings could take long.
    name.utf8.allSatisfy { $0 < 0x80 } ? byName[name] : nil
  }

  /// The name without the package and enclosing messages.
  package var shortName: String { proto.name ?? "" }

  /// The JSON names of the fields, for suggestions.
  var jsonNames: [String] { fields.map(\.jsonName) }

  /// Whether its JSON is not an object of its fields.
  package var hasCustomJSON: Bool {
    if case .object = form { false } else { true }
  }

  /// Whether null is a JSON value of this type.
  var hasJSONNull: Bool {
    if case .custom(let type) = form { type == Value.self } else { false }
  }
}

extension DescriptorProto {
  var isMessageSet: Bool { options?.messageSetWireFormat == true }

  /// The greatest field number that fits into a tag.
  static let greatestTagNumber = 536_870_911

  /// The greatest field number. Extensions of a message set are not limited by the tag.
  var greatestFieldNumber: Int { isMessageSet ? 2_147_483_646 : Self.greatestTagNumber }
}
