/// A message type as needed to build the field path of an error.
package protocol PathType {
  /// The name without the package, with which paths begin.
  var shortName: String { get }
  /// Whether the names in its JSON are chosen by the sender, as in Struct.
  var isFreeform: Bool { get }
  /// Whether its fields are items of a message set.
  var isMessageSet: Bool { get }

  func field(_ number: Int) -> PathField?
  /// - Parameter name: the bytes of a JSON name, with escapes unresolved.
  func field(json name: ArraySlice<UInt8>) -> PathField?
}

extension PathType {
  package var isMessageSet: Bool { false }
}

/// One field of a ``PathType``.
package struct PathField {
  /// The field in the path, such as `.name`.
  let step: String
  let cardinality: FieldDescriptor.Cardinality
  /// The type of a message field, or of the values of a map with message values.
  let type: (any PathType)?

  package init(
    step: String, _ cardinality: FieldDescriptor.Cardinality, type: (any PathType)?
  ) {
    self.step = step
    self.cardinality = cardinality
    self.type = type
  }
}

struct GeneratedType: PathType {
  let type: any Message.Type

  init(_ type: any Message.Type) {
    self.type = type
  }

  var shortName: String { type.messageName.split(separator: ".").last.map(String.init) ?? "" }

  var isFreeform: Bool {
    type is Struct.Type || type is Value.Type || type is ListValue.Type
  }

  func field(_ number: Int) -> PathField? { type.fields[number].map(PathField.init) }

  func field(json name: ArraySlice<UInt8>) -> PathField? {
    type.fields.fields.first { $0.isWritten(name) }.map(PathField.init)
  }
}

extension PathField {
  fileprivate init(_ field: FieldDescriptor) {
    self.init(
      step: ".\(field.name)", field.cardinality, type: field.message.map(GeneratedType.init))
  }
}

extension FieldDescriptor {
  /// Whether a name with unresolved escapes is the field's JSON or .proto name.
  fileprivate func isWritten(_ text: ArraySlice<UInt8>) -> Bool {
    [jsonName, name].contains { $0.withUTF8Buffer { unsafe $0.elementsEqual(text) } }
  }
}

/// The entries of a map: messages of a key and a value.
struct MapEntryType: PathType {
  let value: (any PathType)?

  var shortName: String { "" }
  var isFreeform: Bool { false }

  func field(_ number: Int) -> PathField? {
    switch number {
    case 1: PathField(step: ".key", .singular, type: nil)
    case 2: PathField(step: ".value", .singular, type: value)
    default: nil
    }
  }

  func field(json name: ArraySlice<UInt8>) -> PathField? { nil }
}
