// google.protobuf.Struct, Value and ListValue represent any JSON.

extension Struct: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    writer.beginObject()
    for (key, value) in fields.allEntries(.string, .message(Value.self), 1, unknownFields) {
      writer.key(escaping: key)
      try value.writeJSON(to: &writer)
    }
    writer.endObject()
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    var fields = self.fields
    var unknownFields = self.unknownFields
    try reader.members { reader, name throws(JSONDecodingError.Reason) in
      try reader.spend(2 * (MemoryLayout<String>.stride + MemoryLayout<Value>.stride))
      try reader.spend(StringKind.hashingCost(name))
      if fields.contains(name, .string) { throw .duplicateField }
      // A map entry and its value.
      try reader.enterMessages(2)
      var value = Value()
      try value.readJSON(from: &reader)
      reader.leaveMessages(2)
      if fields.set(value, for: name, .string) == .collided {
        unknownFields.append([name: value], of: 1, .string, .message(Value.self))
      }
    }
    self.fields = fields
    self.unknownFields = unknownFields
  }
}

extension ListValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    writer.beginArray()
    for value in values {
      writer.next()
      try value.writeJSON(to: &writer)
    }
    writer.endArray()
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.messages(&values)
  }
}

extension Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    switch kind {
    case .nullValue: writer.put("null")
    case .numberValue(let number):
      guard number.isFinite else {
        throw JSONEncodingError(
          messageName: Self.messageName, reason: "\(number) is not a JSON number")
      }
      writer.put(double: number)
    case .stringValue(let text): writer.put(string: text)
    case .boolValue(let flag): writer.put(flag ? "true" : "false")
    case .structValue(let object): try object.writeJSON(to: &writer)
    case .listValue(let list): try list.writeJSON(to: &writer)
    case nil:
      throw JSONEncodingError(messageName: Self.messageName, reason: "no kind is set")
    }
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    switch reader.peek() {
    case UInt8(ascii: "n") where reader.takeNull(): kind = .nullValue(.nullValue)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): kind = .boolValue(try reader.bool())
    case UInt8(ascii: "\""): kind = .stringValue(try reader.string())
    case UInt8(ascii: "{"):
      try reader.enterMessages()
      var object = Struct()
      try object.readJSON(from: &reader)
      reader.leaveMessages()
      kind = .structValue(object)
    case UInt8(ascii: "["):
      try reader.enterMessages()
      var list = ListValue()
      try list.readJSON(from: &reader)
      reader.leaveMessages()
      kind = .listValue(list)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      kind = .numberValue(try reader.double())
    default: throw reader.fault(.expected(.value))
    }
  }
}
