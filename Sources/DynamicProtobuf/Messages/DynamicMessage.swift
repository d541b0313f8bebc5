import WireProtobuf

/// A message whose type is known only at run time. Its JSON and binary forms follow the same rules
/// as those of generated messages.
package struct DynamicMessage: Sendable {
  package let pool: DescriptorPool
  package let descriptor: MessageDescriptor
  var fields: [Int: FieldValue] = [:]
  /// The number of the member that is set, for each oneof index.
  private(set) var members: [Int: Int] = [:]
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
    guard case .one(let value)? = fields[field.number] else { return nil }
    return value
  }

  /// The fields that are set, including extensions, by number.
  package var setFields: [FieldDescriptor] {
    fields.keys.sorted().compactMap { descriptor[$0] }.filter { isWritten($0) }
  }

  /// The path of the first required field that is unset, at any depth: `.order.items[2].price`.
  package var missingRequiredField: String? {
    for field in descriptor.fields where field.isRequired && fields[field.number] == nil {
      return ".\(field.name)"
    }
    for number in fields.keys.sorted() {
      guard let field = descriptor[number], case .message = field.type else { continue }
      let path = ".\(field.name)"
      switch fields[number] {
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
      case .one, nil: break
      }
    }
    return nil
  }

  /// Whether the field is written: it is set and, without presence, differs from its default.
  func isWritten(_ field: FieldDescriptor) -> Bool {
    switch fields[field.number] {
    case .one(let value): field.hasPresence || !value.isInitial
    case .list(let values): !values.isEmpty
    case .map(let entries): !entries.isEmpty
    case nil: false
    }
  }

  /// Sets a singular field and clears the other members of its oneof.
  package mutating func set(_ field: FieldDescriptor, _ value: DynamicValue) {
    if let oneof = field.oneof,
      let before = members.updateValue(field.number, forKey: oneof), before != field.number
    {
      fields[before] = nil
    }
    fields[field.number] = .one(value)
  }

  package mutating func set(_ field: FieldDescriptor, list messages: [DynamicMessage]) {
    fields[field.number] = .list(messages.map { .message($0) })
  }

  mutating func append(_ value: DynamicValue, to field: FieldDescriptor) {
    guard case .list(var values)? = fields.removeValue(forKey: field.number) else {
      fields[field.number] = .list([value])
      return
    }
    values.append(value)
    fields[field.number] = .list(values)
  }

  /// Whether a map has an entry with this key.
  func has(_ key: MapKey, of field: FieldDescriptor) -> Bool {
    if case .map(let entries)? = fields[field.number] { entries[key] != nil } else { false }
  }

  mutating func set(_ key: MapKey, _ value: DynamicValue, of field: FieldDescriptor) {
    guard case .map(var entries)? = fields.removeValue(forKey: field.number) else {
      fields[field.number] = .map([key: value])
      return
    }
    entries[key] = value
    fields[field.number] = .map(entries)
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
