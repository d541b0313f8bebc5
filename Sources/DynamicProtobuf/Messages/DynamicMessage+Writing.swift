import WireProtobuf

extension DynamicMessage {
  /// Encodes the binary form: fields by number, map entries by key, then the unknown fields.
  package func serializedBytes() -> [UInt8] {
    var output: [UInt8] = []
    output.append(messageOf: 256 + unknownFields.count) { writer throws(WireWriter.Full) in
      try write(to: &writer)
    }
    return output
  }

  fileprivate func write(to writer: inout WireWriter) throws(WireWriter.Full) {
    for entry in fields.all where entry.isWritten {
      try write(entry.value, of: entry.field, to: &writer)
    }
    try writer.put(bytes: unknownFields)
  }

  private func write(
    _ value: FieldValue, of field: FieldDescriptor, to writer: inout WireWriter
  ) throws(WireWriter.Full) {
    switch value {
    case .one(let value): try field.write(value, to: &writer)
    case .list(let values) where field.isPacked && field.type.isPackable:
      try writer.message(field.number) { writer throws(WireWriter.Full) in
        for value in values { try field.type.write(value, to: &writer) }
      }
    case .list(let values):
      for value in values { try field.write(value, to: &writer) }
    case .map(let entries):
      guard case .message(let index) = field.type, let key = pool.messages[index][1],
        let value = pool.messages[index][2]
      else { return }
      for entry in entries.sorted(by: { $0.key < $1.key }) {
        try writer.message(field.number) { writer throws(WireWriter.Full) in
          try key.write(entry.key.value(of: key.type), to: &writer)
          try value.write(entry.value, to: &writer)
        }
      }
    }
  }
}

extension FieldDescriptor {
  /// Writes the tag and the value.
  fileprivate func write(
    _ value: DynamicValue, to writer: inout WireWriter
  ) throws(WireWriter.Full) {
    switch (value, encoding) {
    case (.message(let message), .group):
      try writer.group(number) { writer throws(WireWriter.Full) in try message.write(to: &writer) }
    case (.message(let message), .messageSetItem):
      try writer.messageSetItem(number) { writer throws(WireWriter.Full) in
        try message.write(to: &writer)
      }
    case (.message(let message), .lengthPrefixed):
      try writer.message(number) { writer throws(WireWriter.Full) in
        try message.write(to: &writer)
      }
    default:
      try writer.makeRoom()
      writer.put(tag: number, type.wireType)
      try type.write(value, to: &writer)
    }
  }
}

extension WireWriter {
  fileprivate mutating func group(
    _ number: Int, _ fields: (inout WireWriter) throws(Full) -> Void
  ) throws(Full) {
    try makeRoom()
    put(tag: number, .startGroup)
    try fields(&self)
    try makeRoom()
    put(tag: number, .endGroup)
  }

  /// Writes a message as an item of a message set.
  ///
  /// - Parameter type: the field number of the extension.
  mutating func messageSetItem(
    _ type: Int, _ fields: (inout WireWriter) throws(Full) -> Void
  ) throws(Full) {
    try group(1) { writer throws(Full) in
      try writer.makeRoom()
      writer.put(tag: 2, .varint)
      writer.put(varint: UInt64(type))
      try writer.message(3, fields)
    }
  }
}

extension FieldType {
  var wireType: WireType {
    switch self {
    case .scalar(let kind): kind.wireType
    case .enum: .varint
    case .message: .lengthDelimited
    }
  }

  fileprivate var isPackable: Bool {
    switch self {
    case .scalar(let kind): kind is any PackedKind.Type
    case .enum: true
    case .message: false
    }
  }

  /// Writes a value other than a message, without its tag.
  fileprivate func write(
    _ value: DynamicValue, to writer: inout WireWriter
  ) throws(WireWriter.Full) {
    func write<K: DynamicKind>(_ kind: K.Type) throws(WireWriter.Full) {
      try writer.makeRoom()
      if let value = K.unwrap(value) { try K.write(value, to: &writer) }
    }
    switch (self, value) {
    case (_, .enum(let number)):
      try writer.makeRoom()
      writer.put(varint: Int32Kind.varint(number))
    case (_, .bytes(let bytes)): try BytesKind.write(bytes, to: &writer)
    case (.scalar(let kind), _): try write(kind)
    default: break
    }
  }
}

extension MapKey {
  /// The key as a value of the map's key type.
  fileprivate func value(of type: FieldType) -> DynamicValue {
    func number<K: DynamicKind>(_ kind: K.Type) -> DynamicValue {
      switch (self, K.initial) {
      case (.signed(let value), is Int32): .int32(Int32(truncatingIfNeeded: value))
      case (.signed(let value), _): .int64(value)
      case (.unsigned(let value), is UInt32): .uint32(UInt32(truncatingIfNeeded: value))
      case (.unsigned(let value), _): .uint64(value)
      case (.bool(let value), _): .bool(value)
      case (.utf8(let bytes), _): .bytes(bytes)
      }
    }
    guard case .scalar(let kind) = type else { return .bytes([]) }
    return number(kind)
  }
}
