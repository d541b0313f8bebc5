// google.protobuf.Struct, Value and ListValue stand for JSON itself.

extension Struct: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    writer.beginObject()
    for (key, value) in fields.sorted(by: { StringKind.isOrdered($0.key, before: $1.key) }) {
      writer.key(escaping: key)
      try value.writeJSON(to: &writer)
    }
    writer.endObject()
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
}

extension Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    switch kind {
    case .nullValue: writer.put("null")
    case .numberValue(let number):
      guard number.isFinite else {
        throw JSONEncodingError(
          messageName: Self.messageName, reason: "\(number) is no number of JSON")
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
}
