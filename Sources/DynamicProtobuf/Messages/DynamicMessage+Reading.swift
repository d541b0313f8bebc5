package import WireProtobuf

extension DynamicMessage {
  /// Decoding options with twice the default memory factor, because untyped values take more memory
  /// than the fields of generated messages.
  static let options = DecodingOptions(memoryFactor: 128)

  /// Decodes the binary form.
  ///
  /// - Parameter unknownFieldCount: increased by the number of unknown fields at every depth.
  /// - Throws: `DecodingError` with the path of the field and the offset of the byte.
  package init(
    serializedBytes bytes: [UInt8], as descriptor: MessageDescriptor, in pool: DescriptorPool,
    options: DecodingOptions = DynamicMessage.options, unknownFieldCount: inout Int
  ) throws(DecodingError) {
    self.init(descriptor, in: pool)
    try merge(bytes, options, &unknownFieldCount)
  }

  /// Creates the dynamic form of a generated message.
  package init(
    _ message: some Message, as type: MessageDescriptor, in pool: DescriptorPool
  ) throws(DecodingError) {
    var unknown = 0
    try self.init(
      serializedBytes: message.serializedBytes(), as: type, in: pool, unknownFieldCount: &unknown)
  }

  mutating func merge(
    _ bytes: [UInt8], _ options: DecodingOptions, _ unknownFieldCount: inout Int
  ) throws(DecodingError) {
    let type = DynamicType(descriptor: descriptor, pool: pool)
    unknownFieldCount += try WireReader.read(bytes, options, as: type) {
      reader throws(DecodingError.Reason) in
      try read(from: &reader)
    }
  }

  mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) {
    while let number = try reader.nextTag() { try readField(number, from: &reader) }
  }

  private mutating func readField(
    _ number: Int, from reader: inout WireReader
  ) throws(DecodingError.Reason) {
    if descriptor.isMessageSet, number == 1, reader.hasWireType(.startGroup) {
      return try readItem(from: &reader)
    }
    if let field = descriptor[number] {
      if fields[field] == nil { try reader.spend(96) }
      if try read(field, from: &reader) { return }
    }
    let bytes = try reader.takeUnknownField()
    try reader.spend(bytes.count + (unknownFields.isEmpty ? 64 : 0))
    unknownFields += bytes
  }

  /// Reads an item of a message set. An item of an unknown type is kept undecoded.
  private mutating func readItem(from reader: inout WireReader) throws(DecodingError.Reason) {
    try reader.messageSetItem { reader, type throws(DecodingError.Reason) in
      if let field = descriptor[type], case .message(let index) = field.type {
        if fields[field] == nil { try reader.spend(96) }
        return try readMessage(field, pool.messages[index], as: .messageSetItem, from: &reader)
      }
      let message = reader.unknownItemMessage()
      try reader.spend(message.count + (unknownFields.isEmpty ? 96 : 32))
      unknownFields.append(messageOf: message.count) { writer throws(WireWriter.Full) in
        try writer.messageSetItem(type) { writer throws(WireWriter.Full) in
          try writer.put(bytes: message)
        }
      }
    }
  }

  /// - Returns: whether the wire type matches the field; if not, nothing was read.
  private mutating func read(
    _ field: FieldDescriptor, from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Bool {
    switch field.type {
    case .scalar(let kind): return try read(field, kind, from: &reader)
    case .enum(let index): return try read(field, pool.enums[index], from: &reader)
    case .message(let index):
      // An encoder without support for message sets writes their extensions as normal fields.
      let encoding = field.encoding == .group ? MessageEncoding.group : .lengthPrefixed
      guard reader.hasWireType(encoding == .group ? .startGroup : .lengthDelimited) else {
        return false
      }
      if field.cardinality == .map {
        try readEntry(of: field, pool.messages[index], from: &reader)
      } else {
        try readMessage(field, pool.messages[index], as: encoding, from: &reader)
      }
      return true
    }
  }

  // MARK: Scalars

  private mutating func read<K: DynamicKind>(
    _ field: FieldDescriptor, _ kind: K.Type, from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Bool {
    if reader.hasWireType(K.wireType) {
      // Text that need not be UTF-8 is read as bytes.
      let value =
        kind is StringKind.Type && !field.checksUTF8
        ? Self.text(try BytesKind.read(from: &reader)) : K.wrap(try K.read(from: &reader))
      try store(value, in: field, &reader)
      return true
    }
    guard field.cardinality == .repeated, kind is any PackedKind.Type,
      reader.hasWireType(.lengthDelimited)
    else { return false }
    try reader.packed { reader throws(DecodingError.Reason) in
      try store(K.wrap(try K.read(from: &reader)), in: field, &reader)
    }
    return true
  }

  private static func text(_ bytes: [UInt8]) -> DynamicValue {
    String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
  }

  private mutating func read(
    _ field: FieldDescriptor, _ type: EnumDescriptor, from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Bool {
    if reader.hasWireType(.varint) {
      try store(try Int32Kind.read(from: &reader), of: type, in: field, &reader)
      return true
    }
    guard field.cardinality == .repeated, reader.hasWireType(.lengthDelimited) else { return false }
    try reader.packed { reader throws(DecodingError.Reason) in
      try store(try Int32Kind.read(from: &reader), of: type, in: field, &reader)
    }
    return true
  }

  /// Stores an enum value. A number that a closed enum does not define goes to the unknown fields.
  private mutating func store(
    _ number: Int32, of type: EnumDescriptor, in field: FieldDescriptor,
    _ reader: inout WireReader
  ) throws(DecodingError.Reason) {
    guard type.isOpen || type.name(number) != nil else {
      unknownFields.append(messageOf: 0) { writer throws(WireWriter.Full) in
        try writer.makeRoom()
        writer.put(tag: field.number, .varint)
        writer.put(varint: Int32Kind.varint(number))
      }
      return try reader.spend(32)
    }
    try store(.enum(number), in: field, &reader)
  }

  private mutating func store(
    _ value: DynamicValue, in field: FieldDescriptor, _ reader: inout WireReader
  ) throws(DecodingError.Reason) {
    guard field.cardinality == .repeated else { return set(field, value) }
    try reader.spend(MemoryLayout<DynamicValue>.stride)
    fields.append(value, to: field)
  }

  // MARK: Messages

  private mutating func readMessage(
    _ field: FieldDescriptor, _ type: MessageDescriptor, as encoding: MessageEncoding,
    from reader: inout WireReader
  ) throws(DecodingError.Reason) {
    try reader.spend(MemoryLayout<DynamicValue>.stride)
    var message = DynamicMessage(type, in: pool)
    // A singular message is merged with the previous value, except in a message set item: as in
    // upb, the last item is used.
    if field.cardinality == .singular, encoding != .messageSetItem,
      case .one(.message(let before))? = fields[field]
    {
      fields[field] = nil
      message = before
    }
    switch encoding {
    case .lengthPrefixed:
      try reader.submessage { reader throws(DecodingError.Reason) in
        try message.read(from: &reader)
      }
    case .group:
      try reader.group { reader, number throws(DecodingError.Reason) in
        try message.readField(number, from: &reader)
      }
    case .messageSetItem:
      try reader.itemMessage { reader throws(DecodingError.Reason) in
        try message.read(from: &reader)
      }
    }
    if field.cardinality == .repeated {
      fields.append(.message(message), to: field)
    } else {
      set(field, .message(message))
    }
  }

  private mutating func readEntry(
    of field: FieldDescriptor, _ type: MessageDescriptor, from reader: inout WireReader
  ) throws(DecodingError.Reason) {
    var entry = DynamicMessage(type, in: pool)
    try reader.submessage { reader throws(DecodingError.Reason) in
      try entry.read(from: &reader)
    }
    guard let keyField = type[1], let valueField = type[2],
      let key = MapKey(entry.value(of: keyField) ?? keyField.type.initial(in: pool))
    else { return }
    if case .enum = valueField.type, entry.value(of: valueField) == nil,
      !entry.unknownFields.isEmpty
    {
      // The closed enum does not define the number, so the entire entry is unknown.
      return unknownFields.append(field.number, message: entry.serializedBytes())
    }
    try reader.spend(2 * MemoryLayout<DynamicValue>.stride)
    fields.set(key, entry.value(of: valueField) ?? valueField.type.initial(in: pool), of: field)
  }
}
