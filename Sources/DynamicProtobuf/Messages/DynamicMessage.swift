import WireProtobuf

/// A message whose type is known only at run time. Its JSON and binary forms follow the same rules
/// as those of generated messages.
package struct DynamicMessage: Sendable {
  package let pool: DescriptorPool
  package let descriptor: MessageDescriptor
  var fields = FieldValues()
  /// Tags and values of fields that the type does not declare, in wire order.
  package var unknownFields: [UInt8] = []

  /// Creates a message with no field set.
  ///
  /// - Parameter descriptor: must be in the pool.
  package init(_ descriptor: MessageDescriptor, in pool: DescriptorPool) {
    self.descriptor = descriptor
    self.pool = pool
  }

  /// Returns the value of a singular field; nil if it is unset.
  package func value(of field: FieldDescriptor) -> DynamicValue? {
    guard case .one(let value)? = fields[field] else { return nil }
    return value
  }

  /// The fields that are set, including extensions, by number.
  package var setFields: [FieldDescriptor] {
    fields.all.filter(\.isWritten).map(\.field)
  }

  /// The path of the first required field that is unset, at any depth: `.order.items[2].price`.
  package var missingRequiredField: String? {
    for field in descriptor.fields where field.isRequired && fields[field] == nil {
      return ".\(field.name)"
    }
    for entry in fields.all {
      guard case .message = entry.field.type else { continue }
      let path = ".\(entry.field.name)"
      switch entry.value {
      case .one(.message(let message)):
        if let inner = message.missingRequiredField { return path + inner }
      case .list(let values):
        for case (let index, .message(let message)) in values.enumerated() {
          if let inner = message.missingRequiredField { return "\(path)[\(index)]" + inner }
        }
      case .map(let entries):
        for case (let key, .message(let message)) in entries {
          guard let inner = message.missingRequiredField else { continue }
          return "\(path)[\((key.jsonName ?? "?").quotedForDisplay)]" + inner
        }
      case .one: break
      }
    }
    return nil
  }

  /// Returns the member of a oneof that is set.
  func member(ofOneof index: Int) -> FieldDescriptor? {
    fields.all.first { $0.field.oneof == index }?.field
  }

  /// Sets a singular field and clears the other members of its oneof.
  package mutating func set(_ field: FieldDescriptor, _ value: DynamicValue) {
    if let oneof = field.oneof, let before = member(ofOneof: oneof), before !== field {
      fields[before] = nil
    }
    fields[field] = .one(value)
  }

  package mutating func set(_ field: FieldDescriptor, list messages: [DynamicMessage]) {
    fields[field] = .list(messages.map { .message($0) })
  }

  /// Whether a map has an entry with this key.
  func has(_ key: MapKey, of field: FieldDescriptor) -> Bool {
    if case .map(let entries)? = fields[field] { entries[key] != nil } else { false }
  }
}

extension FieldValues.Entry {
  /// Whether the field is written: without presence, it differs from its default.
  var isWritten: Bool {
    switch value {
    case .one(let value): field.hasPresence || !value.isInitial
    case .list(let values): !values.isEmpty
    case .map(let entries): !entries.isEmpty
    }
  }
}

extension DynamicValue {
  /// Whether this is the default value of a field without presence.
  var isInitial: Bool {
    switch self {
    case .int32(let value), .enum(let value): value == 0
    case .int64(let value): value == 0
    case .uint32(let value): value == 0
    case .uint64(let value): value == 0
    case .float(let value): FloatKind.isInitial(value)
    case .double(let value): DoubleKind.isInitial(value)
    case .bool(let value): !value
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .message: false
    }
  }
}

extension FieldType {
  /// The default value of a field, or of a missing key or value of a map entry.
  func initial(in pool: DescriptorPool) -> DynamicValue {
    switch self {
    case .scalar(let kind):
      func initial<K: DynamicKind>(_ kind: K.Type) -> DynamicValue { K.wrap(K.initial) }
      return initial(kind)
    case .enum(let index): return .enum(pool.enums[index].initial)
    case .message(let index): return .message(DynamicMessage(pool.messages[index], in: pool))
    }
  }
}

extension FieldDescriptor {
  /// The default value of the field.
  func initial(in pool: DescriptorPool) -> FieldValue {
    switch cardinality {
    case .singular: .one(type.initial(in: pool))
    case .repeated: .list([])
    case .map: .map([:])
    }
  }
}

/// A message type with its pool, for the field paths of errors.
struct DynamicType: PathType {
  let descriptor: MessageDescriptor
  let pool: DescriptorPool

  var shortName: String { descriptor.shortName }

  var isFreeform: Bool {
    switch descriptor.form {
    case .custom(let type): type is Struct.Type || type is Value.Type || type is ListValue.Type
    case .any, .object: false
    }
  }

  var isMessageSet: Bool { descriptor.isMessageSet }

  func field(_ number: Int) -> PathField? { descriptor[number].map(path) }

  func field(json name: ArraySlice<UInt8>) -> PathField? {
    descriptor[String(decoding: name, as: UTF8.self)].map(path)
  }

  private func path(_ field: FieldDescriptor) -> PathField {
    var type = field.type
    if field.cardinality == .map, case .message(let entry) = type,
      let value = pool.messages[entry][2]
    {
      type = value.type
    }
    var inner: DynamicType?
    if case .message(let index) = type {
      inner = DynamicType(descriptor: pool.messages[index], pool: pool)
    }
    return PathField(step: ".\(field.name)", field.cardinality, type: inner)
  }
}
