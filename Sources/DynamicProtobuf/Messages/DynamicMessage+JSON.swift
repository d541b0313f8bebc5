import ProtobufDescriptors
package import WireProtobuf

// Decoding JSON.

extension DynamicMessage {
  /// Decoding options with the memory limit of ``options``.
  package static let jsonOptions = JSONDecodingOptions(memoryFactor: options.memoryFactor)

  /// Decodes the JSON form, with names in lowerCamelCase or as in the .proto file, in any order.
  ///
  /// Extensions are named `[full.name]`. A google.protobuf.Any may contain the types of the pool.
  ///
  /// - Throws: `JSONDecodingError` with the path of the field, line and column.
  package init(
    jsonUTF8Bytes text: [UInt8], as descriptor: MessageDescriptor, in pool: DescriptorPool,
    options: JSONDecodingOptions = jsonOptions
  ) throws(JSONDecodingError) {
    self.init(descriptor, in: pool)
    let type = DynamicType(descriptor: descriptor, pool: pool)
    try JSONReader.read(text.span, options, as: type) { reader throws(JSONDecodingError.Reason) in
      try readJSON(from: &reader)
    }
  }

  fileprivate mutating func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) {
    switch descriptor.form {
    case .object: try readFields(from: &reader)
    case .any: try readAny(from: &reader)
    case .custom(let type):
      let bytes = try Self.bytes(of: type, from: &reader)
      var count = 0
      // The limits do not apply, because the message was already in memory.
      let options = DecodingOptions(recursionLimit: .max, memoryFactor: .max)
      guard (try? merge(bytes, options, &count)) != nil else { throw .expected(.value) }
    }
  }

  private static func bytes<M: Message>(
    of type: M.Type, from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> [UInt8] {
    var message = M()
    try message.readJSON(from: &reader)
    return message.serializedBytes()
  }

  private mutating func readAny(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) {
    guard let inside = try reader.any(find: pool.jsonType) else { return }
    if let url = descriptor[1] { fields[url] = .one(.string(inside.url)) }
    if let value = descriptor[2] { fields[value] = .one(.bytes(inside.value)) }
  }

  // MARK: Fields

  private mutating func readFields(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) {
    let descriptor = descriptor
    var seen: Set<Int> = []
    try reader.object(
      find: { descriptor[$0] }, names: { descriptor.jsonNames },
      read: { (reader, field) throws(JSONDecodingError.Reason) in
        guard seen.insert(field.number).inserted else { throw .duplicateField }
        try read(field, from: &reader)
      })
  }

  private mutating func read(
    _ field: FieldDescriptor, from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) {
    if field.cardinality != .singular || !hasJSONNull(field.type), reader.takeNull() { return }
    try reader.spend(96)
    switch field.cardinality {
    case .singular:
      guard let value = try value(of: field.type, from: &reader) else { return }
      if let oneof = field.oneof, let other = member(ofOneof: oneof) {
        throw .oneofAlreadySet(field.jsonName, by: other.jsonName)
      }
      set(field, value)
    case .repeated:
      var values: [DynamicValue] = []
      try reader.array { reader throws(JSONDecodingError.Reason) in
        // Otherwise a wrapper would read null as its default value.
        if !hasJSONNull(field.type), reader.peek() == UInt8(ascii: "n") { throw .expected(.value) }
        try reader.spend(MemoryLayout<DynamicValue>.stride)
        if let value = try value(of: field.type, from: &reader) { values.append(value) }
      }
      fields[field] = .list(values)
    case .map: try readMap(field, from: &reader)
    }
  }

  private mutating func readMap(
    _ field: FieldDescriptor, from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) {
    guard case .message(let index) = field.type, let key = pool.messages[index][1],
      let value = pool.messages[index][2]
    else { return try reader.array { _ throws(JSONDecodingError.Reason) in } }
    try reader.members { reader, name throws(JSONDecodingError.Reason) in
      let key = try key.type.key(json: name)
      if has(key, of: field) { throw .duplicateField }
      if !hasJSONNull(value.type), reader.peek() == UInt8(ascii: "n") { throw .expected(.value) }
      try reader.spend(3 * MemoryLayout<DynamicValue>.stride)
      try reader.enterMessages()
      let read = try self.value(of: value.type, from: &reader)
      reader.leaveMessages()
      guard let value = read else { return }
      fields.set(key, value, of: field)
    }
  }

  // MARK: Values

  /// - Returns: nil if the value is to be ignored.
  private func value(
    of type: FieldType, from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> DynamicValue? {
    switch type {
    case .scalar(let kind):
      return try Self.scalar(kind, from: &reader)
    case .enum(let index):
      let type = pool.enums[index]
      if type.isNull, reader.takeNull() { return .enum(0) }
      return try reader.enumNumber(
        of: type.fullName, find: type.number(json:),
        names: { type.proto.value.compactMap(\.name) }, isNamed: { type.name($0) != nil },
        isOpen: type.isOpen
      ).map(DynamicValue.enum)
    case .message(let index):
      try reader.enterMessages()
      var message = DynamicMessage(pool.messages[index], in: pool)
      try message.readJSON(from: &reader)
      reader.leaveMessages()
      return .message(message)
    }
  }

  private static func scalar<K: DynamicKind>(
    _ kind: K.Type, from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> DynamicValue? {
    try K.readJSON(from: &reader).map(K.wrap)
  }

  private func hasJSONNull(_ type: FieldType) -> Bool {
    switch type {
    case .scalar: false
    case .enum(let index): pool.enums[index].isNull
    case .message(let index): pool.messages[index].hasJSONNull
    }
  }
}

extension FieldType {
  fileprivate func key(json name: String) throws(JSONDecodingError.Reason) -> MapKey {
    // The key of a map field has one of these kinds.
    guard case .scalar(let kind) = self, let kind = kind as? any (DynamicKind & MapKeyKind).Type
    else { throw .expected(.key) }
    func key<K: DynamicKind & MapKeyKind>(_ kind: K.Type) -> MapKey? {
      K.key(json: name).flatMap { MapKey(K.wrap($0)) }
    }
    guard let key = key(kind) else { throw kind.invalidKey }
    return key
  }
}

extension DescriptorPool {
  /// Returns the pool's type for the URL of a google.protobuf.Any; nil if there is none.
  package func jsonType(_ url: String) -> RuntimeJSONType? {
    guard let type = TypeRegistry.typeName(in: url).flatMap(message) else { return nil }
    return RuntimeJSONType(isCustom: type.hasCustomJSON) {
      reader throws(JSONDecodingError.Reason) in
      var message = DynamicMessage(type, in: self)
      try message.readJSON(from: &reader)
      return message.serializedBytes()
    }
  }
}
