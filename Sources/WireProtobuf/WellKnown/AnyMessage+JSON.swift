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
    let message: any Message
    do {
      message = try type.init(serializedBytes: value)
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
}

extension AnyMessage {
  /// Puts a message into an Any, under `type.googleapis.com`.
  public init(packing message: some Message) {
    self.init()
    typeUrl = "type.googleapis.com/\(type(of: message).messageName)"
    value = message.serializedBytes()
  }

  /// The message inside, if it is of the type: nil when the type is another.
  public func unpack<M: Message>(_ type: M.Type = M.self) throws(DecodingError) -> M? {
    guard typeUrl.hasSuffix("/" + M.messageName) else { return nil }
    return try M(serializedBytes: value)
  }
}
