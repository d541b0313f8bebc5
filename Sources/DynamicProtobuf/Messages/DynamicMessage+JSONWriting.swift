package import WireProtobuf

/// Options for encoding the JSON of a dynamic message.
package struct DynamicJSONOptions: Sendable {
  /// Whether each member is on its own line, indented by two spaces. Otherwise there is one line.
  var pretty: Bool
  /// Whether fields without presence are written even if they have their default value.
  var emitsDefaults: Bool
  /// Whether an Any that does not decode, or whose type is not in the pool, is written with its bytes as
  /// `@value` instead of rejected. This form is not part of ProtoJSON and cannot be decoded.
  var showsUnknownTypes: Bool
  /// Whether enum values are written as numbers.
  var numbersEnums: Bool

  package init(
    pretty: Bool = false, emitsDefaults: Bool = false, showsUnknownTypes: Bool = false,
    numbersEnums: Bool = false
  ) {
    self.pretty = pretty
    self.emitsDefaults = emitsDefaults
    self.showsUnknownTypes = showsUnknownTypes
    self.numbersEnums = numbersEnums
  }
}

extension DynamicMessage {
  /// Encodes the canonical JSON form (ProtoJSON) as UTF-8: fields by number, names in
  /// lowerCamelCase.
  ///
  /// - Throws: `JSONEncodingError` with the path of the field, if a well-known type is out of its
  ///   range, text is not UTF-8, or an Any contains a type that is not in the pool.
  package func jsonUTF8Bytes(
    options: DynamicJSONOptions = DynamicJSONOptions()
  ) throws(JSONEncodingError) -> [UInt8] {
    let type = DynamicType(descriptor: descriptor, pool: pool)
    return try JSONWriter.utf8(JSONEncodingOptions(pretty: options.pretty), as: type) {
      writer throws(JSONEncodingError) in
      try writeJSON(to: &writer, options)
    }
  }

  /// Encodes the canonical JSON form as ``jsonUTF8Bytes(options:)`` does.
  package func jsonString(
    options: DynamicJSONOptions = DynamicJSONOptions()
  ) throws(JSONEncodingError) -> String {
    String(decoding: try jsonUTF8Bytes(options: options), as: UTF8.self)
  }

  /// Writes the canonical JSON form as a value.
  package func writeJSON(
    to writer: inout JSONWriter, _ options: DynamicJSONOptions
  ) throws(JSONEncodingError) {
    switch descriptor.form {
    case .any: try writeAny(to: &writer, options)
    case .custom(let type): try write(as: type, to: &writer)
    case .object:
      writer.beginObject()
      if options.emitsDefaults {
        for field in fieldsWithDefaults {
          try write(fields[field] ?? field.initial(in: pool), of: field, to: &writer, options)
        }
      } else {
        for entry in fields.all where entry.isWritten {
          try write(entry.value, of: entry.field, to: &writer, options)
        }
      }
      writer.endObject()
    }
  }

  /// The fields that are set, and unset fields without presence.
  private var fieldsWithDefaults: [FieldDescriptor] {
    let unset = descriptor.fields.filter { !$0.hasPresence && fields[$0] == nil }
    return (fields.all.map(\.field) + unset).sorted { $0.number < $1.number }
  }

  private func write<M: Message>(
    as type: M.Type, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    let options = DecodingOptions(recursionLimit: 200, memoryFactor: .max)
    let message = try mapError(M(serializedBytes: serializedBytes(), options: options), failure)
    try message.writeJSON(to: &writer)
  }

  private func failure(_ error: DecodingError) -> JSONEncodingError {
    JSONEncodingError(messageName: descriptor.fullName, reason: "\(error)")
  }

  private func writeAny(
    to writer: inout JSONWriter, _ options: DynamicJSONOptions
  ) throws(JSONEncodingError) {
    var url = ""
    var value: [UInt8] = []
    if case .one(.string(let text))? = fields[1] { url = text }
    if case .one(.bytes(let bytes))? = fields[2] { value = bytes }
    guard !url.isEmpty || !value.isEmpty else {
      writer.beginObject()
      return writer.endObject()
    }
    guard let type = TypeRegistry.typeName(in: url).flatMap(pool.message) else {
      guard options.showsUnknownTypes else { throw writer.unknownType(url) }
      return try writeUnknown(url, value, to: &writer)
    }
    var inside = try writer.optionsInsideAny()
    inside.memoryFactor = Self.options.memoryFactor
    var count = 0
    let message: DynamicMessage
    do throws(DecodingError) {
      message = try DynamicMessage(
        serializedBytes: value, as: type, in: pool, options: inside, unknownFieldCount: &count)
    } catch {
      guard options.showsUnknownTypes else { throw failure(error) }
      return try writeUnknown(url, value, to: &writer)
    }
    try writer.any(url, isCustom: type.hasCustomJSON) { writer throws(JSONEncodingError) in
      try message.writeJSON(to: &writer, options)
    }
  }

  private func writeUnknown(
    _ url: String, _ value: [UInt8], to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.beginObject()
    writer.key(escaping: "@type")
    writer.put(string: url)
    writer.key(escaping: "@value")
    try BytesKind.writeJSON(value, to: &writer)
    writer.endObject()
  }

  // MARK: Values

  private func write(
    _ value: FieldValue, of field: FieldDescriptor, to writer: inout JSONWriter,
    _ options: DynamicJSONOptions
  ) throws(JSONEncodingError) {
    writer.key(escaping: field.jsonName)
    switch value {
    case .list(let values):
      writer.beginArray()
      for value in values {
        writer.next()
        try write(value, field.type, to: &writer, options)
      }
      writer.endArray()
    case .map(let entries):
      guard case .message(let index) = field.type, let value = pool.messages[index][2] else {
        return
      }
      writer.beginObject()
      for entry in entries.sorted(by: { $0.key < $1.key }) {
        guard let name = entry.key.jsonName else { throw notUTF8 }
        writer.key(escaping: name)
        try write(entry.value, value.type, to: &writer, options)
      }
      writer.endObject()
    case .one(let value): try write(value, field.type, to: &writer, options)
    }
  }

  private func write(
    _ value: DynamicValue, _ type: FieldType, to writer: inout JSONWriter,
    _ options: DynamicJSONOptions
  ) throws(JSONEncodingError) {
    switch (type, value) {
    case (.message, .message(let message)): try message.writeJSON(to: &writer, options)
    case (.enum(let index), .enum(let number)):
      let type = pool.enums[index]
      if type.isNull {
        writer.put(plain: "null")
      } else if !options.numbersEnums, let name = type.jsonName(number) {
        writer.put(string: name)
      } else {
        writer.put(plain: String(number))
      }
    case (.scalar(let kind), let value): try write(value, kind, to: &writer)
    default: writer.put(plain: "null")
    }
  }

  private func write<K: DynamicKind>(
    _ value: DynamicValue, _ kind: K.Type, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    guard let value = K.unwrap(value) else { throw notUTF8 }
    try K.writeJSON(value, to: &writer)
  }

  private var notUTF8: JSONEncodingError {
    JSONEncodingError(messageName: descriptor.fullName, reason: "text that is not UTF-8")
  }
}
