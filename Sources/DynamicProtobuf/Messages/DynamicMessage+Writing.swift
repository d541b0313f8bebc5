import WireProtobuf

extension DynamicMessage {
  /// Encodes the binary form: fields by number, map entries by key, then the unknown fields.
  package func serializedBytes() -> [UInt8] {
    var output: [UInt8] = []
    for number in fields.keys.sorted() {
      guard let field = descriptor[number], isWritten(field) else { continue }
      write(field, to: &output)
    }
    return output + unknownFields
  }

  private func write(_ field: FieldDescriptor, to output: inout [UInt8]) {
    switch fields[field.number] {
    case .one(let value): field.write(value, to: &output)
    case .list(let values) where field.isPacked && field.type.isPackable:
      var packed: [UInt8] = []
      for value in values { field.type.put(value, to: &packed) }
      output.put(tag: field.number, .lengthDelimited)
      output.put(delimited: packed)
    case .list(let values):
      for value in values { field.write(value, to: &output) }
    case .map(let entries):
      guard case .message(let index) = field.type, let key = pool.messages[index][1],
        let value = pool.messages[index][2]
      else { return }
      for entry in entries.sorted(by: { $0.key < $1.key }) {
        var bytes: [UInt8] = []
        key.write(entry.key.value(of: key.type), to: &bytes)
        value.write(entry.value, to: &bytes)
        output.put(tag: field.number, .lengthDelimited)
        output.put(delimited: bytes)
      }
    case nil: break
    }
  }
}

extension FieldDescriptor {
  /// Writes the tag and the value.
  fileprivate func write(_ value: DynamicValue, to output: inout [UInt8]) {
    switch (value, encoding) {
    case (.message(let message), .group):
      output.put(tag: number, .startGroup)
      output += message.serializedBytes()
      output.put(tag: number, .endGroup)
    case (.message(let message), .messageSetItem):
      output.put(messageSetItem: number, message.serializedBytes())
    default:
      output.put(tag: number, type.wireType)
      type.put(value, to: &output)
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

  /// Writes a value without its tag.
  fileprivate func put(_ value: DynamicValue, to output: inout [UInt8]) {
    func put<K: DynamicKind>(_ kind: K.Type) {
      if let value = K.unwrap(value) { K.put(value, to: &output) }
    }
    switch (self, value) {
    case (_, .enum(let number)): output.put(varint: Int32Kind.varint(number))
    case (_, .message(let message)): output.put(delimited: message.serializedBytes())
    case (_, .bytes(let bytes)): output.put(delimited: bytes)
    case (.scalar(let kind), _): put(kind)
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
