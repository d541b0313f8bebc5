/// In JSON the message inside with its type as `@type`; of one whose JSON is no object of fields,
/// that as `value`.
extension AnyMessage: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    guard !typeUrl.isEmpty || !value.isEmpty else {
      writer.beginObject()
      return writer.endObject()
    }
    guard let type = writer.types.type(for: typeUrl) else {
      throw JSONEncodingError(
        messageName: Self.messageName, reason: "the type \(typeUrl) is not known")
    }
    // What is inside nests on from here, with what is left of the budget.
    var options = DecodingOptions()
    options.recursionLimit -= writer.depth + 1
    guard options.recursionLimit >= 0 else {
      throw JSONEncodingError(
        messageName: Self.messageName, reason: "messages are nested more than 100 deep")
    }
    let message: any Message
    do {
      message = try type.init(serializedBytes: value, options: options)
    } catch {
      throw JSONEncodingError(messageName: Self.messageName, reason: "\(error)")
    }
    if message is any CustomJSONMessage {
      writer.typeURL = typeUrl
      writer.beginObject()
      writer.key("value")
      try message.writeJSON(to: &writer)
      writer.endObject()
    } else {
      writer.typeURL = typeUrl
      try message.writeJSON(to: &writer)
    }
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    // The type may come after what needs it, so it is looked for first.
    let before = reader
    var url: String?
    var isEmpty = true
    try reader.members { reader, name throws(JSONDecodingError.Reason) in
      isEmpty = false
      if StringKind.areSame(name, "@type") {
        guard url == nil else { throw .duplicateField }
        url = try reader.string()
      } else {
        try reader.skipValue()
      }
    }
    if isEmpty { return }
    let after = reader
    reader = before
    guard let url, let type = reader.options.types.type(for: url) else { throw .unknownAnyType }
    typeUrl = url
    if type is any CustomJSONMessage.Type {
      var inner: [UInt8]?
      try reader.members { reader, name throws(JSONDecodingError.Reason) in
        if StringKind.areSame(name, "value") {
          guard inner == nil else { throw .duplicateField }
          inner = try Self.readValue(type, from: &reader)
        } else {
          guard StringKind.areSame(name, "@type") || reader.options.ignoresUnknownFields
          else { throw .unknownField }
          try reader.skipValue()
        }
      }
      guard let inner else { throw .missingAnyValue }
      value = inner
    } else {
      reader.isInAny = true
      value = try Self.readValue(type, from: &reader)
    }
    reader = after
  }

  private static func readValue<M: Message>(
    _ type: M.Type, from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> [UInt8] {
    var message = M()
    try message.readJSON(from: &reader)
    return message.serializedBytes()
  }
}
