extension Message {
  /// Encodes the canonical JSON form (ProtoJSON): fields by number, names in lowerCamelCase.
  ///
  /// - Throws: ``JSONEncodingError`` with the path of the field, if JSON cannot represent the value of a well-known
  ///   type, or an Any contains a type that ``JSONEncodingOptions/types`` does not contain or bytes that do not decode.
  public func jsonString(
    options: JSONEncodingOptions = JSONEncodingOptions()
  ) throws(JSONEncodingError) -> String {
    try encoded(options) { unsafe String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// Encodes the canonical JSON form as UTF-8.
  ///
  /// - Throws: ``JSONEncodingError``, as ``jsonString(options:)`` does.
  public func jsonUTF8Bytes(
    options: JSONEncodingOptions = JSONEncodingOptions()
  ) throws(JSONEncodingError) -> [UInt8] {
    try encoded(options) { unsafe [UInt8]($0.bytes) }
  }

  private func encoded<Output>(
    _ options: JSONEncodingOptions, _ copy: (JSONWriter) -> Output
  ) throws(JSONEncodingError) -> Output {
    try JSONWriter.write(options, as: GeneratedType(Self.self), copy) {
      writer throws(JSONEncodingError) in
      try writeJSON(to: &writer)
    }
  }

  /// Decodes the JSON form, with names in lowerCamelCase or as in the .proto file, in any order.
  ///
  /// - Throws: ``JSONDecodingError`` with the path of the field, line and column.
  public init(
    jsonString: String, options: JSONDecodingOptions = JSONDecodingOptions()
  ) throws(JSONDecodingError) {
    self.init()
    try readJSON(jsonString.utf8.span, options)
  }

  /// Decodes the JSON form in UTF-8.
  ///
  /// - Throws: ``JSONDecodingError`` with the path of the field, line and column.
  public init(
    jsonUTF8Bytes bytes: [UInt8], options: JSONDecodingOptions = JSONDecodingOptions()
  ) throws(JSONDecodingError) {
    self.init()
    try readJSON(bytes.span, options)
  }

  /// Decodes the JSON form in UTF-8 from any collection of bytes, such as `Data` or an array slice.
  ///
  /// - Throws: ``JSONDecodingError`` with the path of the field, line and column.
  @inlinable
  public init(
    jsonUTF8Bytes bytes: some Collection<UInt8>,
    options: JSONDecodingOptions = JSONDecodingOptions()
  ) throws(JSONDecodingError) {
    try self.init(jsonUTF8Bytes: Array(bytes), options: options)
  }

  private mutating func readJSON(
    _ text: Span<UInt8>, _ options: JSONDecodingOptions
  ) throws(JSONDecodingError) {
    try JSONReader.read(text, options, as: GeneratedType(Self.self)) {
      reader throws(JSONDecodingError.Reason) in
      try readJSON(from: &reader)
    }
  }
}

extension JSONReader {
  var isAtEnd: Bool { unsafe cursor == end }

  /// Returns the error for a reason that ``Message/readJSON(from:)`` threw.
  func error(
    _ reason: JSONDecodingError.Reason, of type: any PathType
  ) -> JSONDecodingError {
    let before = unsafe [UInt8](UnsafeBufferPointer(start: start, count: cursor - start))
    let path = JSONPath(before)
    let offset =
      switch reason {
      case .duplicateField, .oneofAlreadySet, .expected(.boolKey), .expected(.integerKey):
        path.nameStart
      default: Int?.none
      }
    let place = TextPosition(after: Array(before[..<(offset ?? before.count)]))
    return JSONDecodingError(
      reason: reason, fieldPath: path.description(in: type), namePath: path.names,
      line: place.line, column: place.column)
  }
}
