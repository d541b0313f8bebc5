// Reading and writing whole messages, and parts of those whose types are known only at run time.

extension JSONReader {
  /// Reads text as a message of the given type.
  package static func read(
    _ text: Span<UInt8>, _ options: JSONDecodingOptions, as type: some PathType,
    _ body: (inout JSONReader) throws(JSONDecodingError.Reason) -> Void
  ) throws(JSONDecodingError) {
    try unsafe text.withUnsafeBufferPointer { text throws(JSONDecodingError) in
      var reader = unsafe JSONReader(text, options: options)
      do throws(JSONDecodingError.Reason) {
        try body(&reader)
        guard reader.peek() == 0, reader.isAtEnd else { throw .trailingText }
      } catch {
        throw reader.error(error, of: type)
      }
    }
  }

  /// Reads an object whose names and values are not those of a message.
  ///
  /// - Throws: the error that `body` throws; its path consists of the names in the text.
  package static func read(
    _ text: Span<UInt8>,
    _ body: (inout JSONReader) throws(JSONDecodingError.Reason) -> Void
  ) throws(JSONDecodingError) {
    try read(text, JSONDecodingOptions(), as: GeneratedType(Struct.self), body)
  }

  /// The offset of the next byte in the text.
  package var offset: Int { unsafe cursor - start }

  /// Reads a value with `read`. If that fails, skips the value.
  ///
  /// - Returns: the error of `read`.
  /// - Throws: if the value is not JSON.
  package mutating func recovering(
    _ read: (inout JSONReader) throws(JSONDecodingError.Reason) -> Void
  ) throws(JSONDecodingError.Reason) -> JSONDecodingError.Reason? {
    let before = self
    do throws(JSONDecodingError.Reason) {
      try read(&self)
      return nil
    } catch {
      self = before
      try skipValue()
      return error
    }
  }

  /// Reads an object of fields.
  ///
  /// - Parameters:
  ///   - find: returns the field with a name.
  ///   - names: all names that `find` knows, for suggestions.
  ///   - read: reads the value of a field.
  package mutating func object<Field>(
    find: (String) -> Field?, names: () -> [String],
    read: (inout JSONReader, Field) throws(JSONDecodingError.Reason) -> Void
  ) throws(JSONDecodingError.Reason) {
    let isInAny = self.isInAny
    self.isInAny = false
    try take("{", or: .object)
    var isFirst = true
    while try next("}", isFirst: isFirst) {
      isFirst = false
      guard peek() == UInt8(ascii: "\"") else { throw fault(.expected(.key)) }
      let before = unsafe cursor
      let name = try string()
      if let field = find(name) {
        try take(":", or: .colon)
        try read(&self, field)
        continue
      }
      guard options.ignoresUnknownFields || isInAny && StringKind.areSame(name, "@type") else {
        unsafe cursor = before
        throw .unknownField(name.forDisplay, suggestion: names().suggestion(for: name))
      }
      try take(":", or: .colon)
      try skipValue()
    }
  }

  /// Reads an enum value: a number, or a name that `find` knows.
  ///
  /// - Parameters:
  ///   - names: all names of the enum, for errors.
  ///   - isOpen: whether numbers without a name are accepted.
  /// - Returns: nil if the value is to be ignored.
  package mutating func enumNumber(
    of enumName: String, find: (String) -> Int32?, names: () -> [String],
    isNamed: (Int32) -> Bool, isOpen: Bool
  ) throws(JSONDecodingError.Reason) -> Int32? {
    let isName = peek() == UInt8(ascii: "\"")
    let before = unsafe cursor
    let written: String
    if isName {
      written = try string()
      if let number = find(written) { return number }
    } else {
      let number: Int32
      do throws(JSONDecodingError.Reason) {
        number = try integer()
      } catch {
        throw error == .expected(.number) ? .expected(.enumValue) : error
      }
      if isOpen || isNamed(number) { return number }
      written = String(number)
    }
    if options.ignoresUnknownFields { return nil }
    unsafe cursor = before
    throw .unknownEnumValue(written.forDisplay, enumName: enumName, names: names())
  }
}

extension JSONWriter {
  /// Returns the JSON that `body` writes for a message of the given type, as UTF-8.
  package static func utf8(
    _ options: JSONEncodingOptions, as type: some PathType,
    _ body: (inout JSONWriter) throws(JSONEncodingError) -> Void
  ) throws(JSONEncodingError) -> [UInt8] {
    try write(options, as: type, { unsafe [UInt8]($0.bytes) }, body)
  }

  /// Returns a copy of the JSON that `body` writes for a message of the given type.
  static func write<Output>(
    _ options: JSONEncodingOptions, as type: some PathType,
    _ copy: (JSONWriter) -> Output,
    _ body: (inout JSONWriter) throws(JSONEncodingError) -> Void
  ) throws(JSONEncodingError) -> Output {
    var writer = JSONWriter(options)
    defer { writer.deallocate() }
    do throws(JSONEncodingError) {
      try body(&writer)
    } catch {
      var error = error
      error.fieldPath = JSONPath(unsafe [UInt8](writer.bytes)).description(in: type)
      throw error
    }
    return copy(writer)
  }
}

extension TypeRegistry {
  /// The well-known type with a full name, if its JSON is not an object of its fields. Excludes
  /// Any.
  package static func customJSONType(named name: String) -> (any Message.Type)? {
    let type = wellKnown[name]
    return type is any CustomJSONMessage.Type && type != AnyMessage.self ? type : nil
  }
}
