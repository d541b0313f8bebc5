/// The JSON form is the object of the packed message with the additional member `@type`. If the
/// packed message has a special JSON form, such as a string, that form is the member `value`.
extension AnyMessage: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    guard !typeUrl.isEmpty || !value.isEmpty else {
      writer.beginObject()
      return writer.endObject()
    }
    guard let type = writer.types.type(for: typeUrl) else {
      throw writer.unknownType(typeUrl)
    }
    let options = try writer.optionsInsideAny()
    let message: any Message
    do {
      message = try type.init(serializedBytes: value, options: options)
    } catch {
      throw JSONEncodingError(messageName: Self.messageName, reason: "\(error)")
    }
    try writer.any(typeUrl, isCustom: message is any CustomJSONMessage) {
      writer throws(JSONEncodingError) in
      try message.writeJSON(to: &writer)
    }
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    let types = reader.options.types
    let inside = try reader.any {
      types.type(for: $0).map { Self.jsonType($0) } ?? types.others?($0)
    }
    guard let inside else { return }
    typeUrl = inside.url
    value = inside.value
  }

  private static func jsonType<M: Message>(_ type: M.Type) -> RuntimeJSONType {
    RuntimeJSONType(isCustom: type is any CustomJSONMessage.Type) {
      reader throws(JSONDecodingError.Reason) in
      var message = M()
      try message.readJSON(from: &reader)
      return message.serializedBytes()
    }
  }
}

// Shared with types that are known only at run time.

extension JSONWriter {
  package func unknownType(_ url: String) -> JSONEncodingError {
    JSONEncodingError(
      messageName: AnyMessage.messageName,
      reason: url.utf8.contains(UInt8(ascii: "/"))
        ? "the type \(url.quotedForDisplay) is unknown; add it to JSONEncodingOptions.types"
        : "the type URL \(url.quotedForDisplay) has no / before the type name")
  }

  /// Options that apply the remaining recursion limit to the contents of an Any.
  package func optionsInsideAny() throws(JSONEncodingError) -> DecodingOptions {
    var options = DecodingOptions()
    options.recursionLimit -= depth + 1
    guard options.recursionLimit >= 0 else {
      throw JSONEncodingError(
        messageName: AnyMessage.messageName, reason: "messages are nested more than 100 deep")
    }
    return options
  }

  /// Writes an Any. `body` writes its message.
  ///
  /// - Parameter isCustom: whether the JSON of the message is not an object of its fields.
  package mutating func any(
    _ url: String, isCustom: Bool,
    _ body: (inout JSONWriter) throws(JSONEncodingError) -> Void
  ) throws(JSONEncodingError) {
    typeURL = url
    guard isCustom else { return try body(&self) }
    beginObject()
    key("value")
    try body(&self)
    endObject()
  }
}

extension JSONReader {
  /// Reads an Any; nil if it is empty.
  ///
  /// - Parameter find: returns the type for a URL.
  package mutating func any(
    find: (String) -> RuntimeJSONType?
  ) throws(JSONDecodingError.Reason) -> (url: String, value: [UInt8])? {
    // `@type` may come after the fields that depend on it, so it is looked up first.
    let before = self
    guard let url = try typeOfAny() else { return nil }
    let after = self
    self = before
    guard let type = find(url) else {
      throw url.utf8.contains(UInt8(ascii: "/"))
        ? .unknownAnyType(url.forDisplay) : .malformedTypeURL(url.forDisplay)
    }
    // `after` restores the depth.
    try enterMessages()
    let value: [UInt8]
    if type.isCustom {
      value = try valueOfAny(type)
    } else {
      isInAny = true
      value = try type.read(&self)
    }
    self = after
    return (url, value)
  }

  /// Skips an Any and returns its type URL; nil if it is empty.
  private mutating func typeOfAny() throws(JSONDecodingError.Reason) -> String? {
    let before = self
    var url: String?
    var isEmpty = true
    try members { reader, name throws(JSONDecodingError.Reason) in
      isEmpty = false
      if StringKind.areSame(name, "@type") {
        guard url == nil else { throw .duplicateField }
        url = try reader.string()
      } else {
        try reader.skipValue()
      }
    }
    if isEmpty { return nil }
    if let url { return url }
    self = before
    throw .missingAnyType
  }

  private mutating func valueOfAny(
    _ type: RuntimeJSONType
  ) throws(JSONDecodingError.Reason) -> [UInt8] {
    var value: [UInt8]?
    try members { reader, name throws(JSONDecodingError.Reason) in
      if StringKind.areSame(name, "value") {
        guard value == nil else { throw .duplicateField }
        value = try type.read(&reader)
      } else {
        guard StringKind.areSame(name, "@type") || reader.options.ignoresUnknownFields
        else { throw .unknownField(name.forDisplay, suggestion: nil) }
        try reader.skipValue()
      }
    }
    guard let value else { throw .missingAnyValue }
    return value
  }
}
