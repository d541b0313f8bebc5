extension Message {
  /// The canonical JSON form (ProtoJSON): fields by number, names in lowerCamelCase.
  ///
  /// - Throws: ``JSONEncodingError`` when a well-known type inside is out of its range, or an Any
  ///   holds a type that ``JSONEncodingOptions/types`` does not know.
  public func jsonString(
    _ options: JSONEncodingOptions = JSONEncodingOptions()
  ) throws(JSONEncodingError) -> String {
    var writer = JSONWriter(options)
    defer { writer.deallocate() }
    try writeJSON(to: &writer)
    return unsafe String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The canonical JSON form as UTF-8.
  public func jsonBytes(
    _ options: JSONEncodingOptions = JSONEncodingOptions()
  ) throws(JSONEncodingError) -> [UInt8] {
    var writer = JSONWriter(options)
    defer { writer.deallocate() }
    try writeJSON(to: &writer)
    return unsafe [UInt8](writer.bytes)
  }
}
