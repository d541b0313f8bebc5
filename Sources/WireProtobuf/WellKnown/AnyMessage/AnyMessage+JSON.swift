/// In JSON the message inside with its type as `@type`; of one whose JSON is no object of fields,
/// that as `value`.
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
    let inside = try reader.any(
      find: { types.type(for: $0).map { Self.jsonType($0) } ?? types.others?($0) },
      isCustom: \.isCustom,
      read: { (reader, type) throws(JSONDecodingError.Reason) in try type.read(&reader) })
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

// What types known at run time only share.

extension JSONWriter {
  package func unknownType(_ url: String) -> JSONEncodingError {
    JSONEncodingError(
      messageName: AnyMessage.messageName,
      reason: url.utf8.contains(UInt8(ascii: "/"))
        ? "the type \(url.quotedForPeople) is unknown; add it to JSONEncodingOptions.types"
        : "the type URL \(url.quotedForPeople) has no / before the type name")
  }

  /// What is inside an Any nests on from here, with what is left of the budget.
  package func optionsInsideAny() throws(JSONEncodingError) -> DecodingOptions {
    var options = DecodingOptions()
    options.recursionLimit -= depth + 1
    guard options.recursionLimit >= 0 else {
      throw JSONEncodingError(
        messageName: AnyMessage.messageName, reason: "messages are nested more than 100 deep")
    }
    return options
  }

  /// Writes an Any whose message `body` writes.
  ///
  /// - Parameter isCustom: whether the JSON of that is no object of fields.
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
  /// Reads an Any; nil for an empty one.
  ///
  /// - Parameters:
  ///   - find: the type of a URL.
  ///   - isCustom: whether the JSON of a type is no object of fields.
  ///   - read: reads a message of a type.
  package mutating func any<Type>(
    find: (String) -> Type?, isCustom: (Type) -> Bool,
    read: (inout JSONReader, Type) throws(JSONDecodingError.Reason) -> [UInt8]
  ) throws(JSONDecodingError.Reason) -> (url: String, value: [UInt8])? {
    // The type may come after what needs it, so it is looked for first.
    let before = self
    guard let url = try typeOfAny() else { return nil }
    let after = self
    self = before
    guard let type = find(url) else {
      throw url.utf8.contains(UInt8(ascii: "/"))
        ? .unknownAnyType(url.forPeople) : .malformedTypeURL(url.forPeople)
    }
    let value: [UInt8]
    if isCustom(type) {
      value = try valueOfAny { reader throws(JSONDecodingError.Reason) in
        try read(&reader, type)
      }
    } else {
      isInAny = true
      value = try read(&self, type)
    }
    self = after
    return (url, value)
  }

  /// Reads over an Any; nil when it is empty.
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
    _ read: (inout JSONReader) throws(JSONDecodingError.Reason) -> [UInt8]
  ) throws(JSONDecodingError.Reason) -> [UInt8] {
    var value: [UInt8]?
    try members { reader, name throws(JSONDecodingError.Reason) in
      if StringKind.areSame(name, "value") {
        guard value == nil else { throw .duplicateField }
        value = try read(&reader)
      } else {
        guard StringKind.areSame(name, "@type") || reader.options.ignoresUnknownFields
        else { throw .unknownField(name.forPeople, suggestion: nil) }
        try reader.skipValue()
      }
    }
    guard let value else { throw .missingAnyValue }
    return value
  }
}
