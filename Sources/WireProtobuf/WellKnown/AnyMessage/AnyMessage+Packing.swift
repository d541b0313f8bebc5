extension AnyMessage {
  /// Packs a message, with a type URL under `type.googleapis.com`.
  public init(packing message: some Message) {
    self.init(typeUrl: Self.url(of: type(of: message)), value: message.serializedBytes())
  }

  /// Whether the packed message is of the given type, by the text after the last slash of the URL.
  public func holds<M: Message>(_ type: M.Type) -> Bool {
    let name = "/\(M.messageName)".utf8
    return typeUrl.utf8.suffix(name.count).elementsEqual(name)
  }

  /// Unpacks the message if it is of the given type; returns nil for another type.
  ///
  /// - Throws: ``DecodingError`` if the bytes are not a valid message of the type.
  public func unpack<M: Message>(_ type: M.Type = M.self) throws(DecodingError) -> M? {
    holds(type) ? try M(serializedBytes: value) : nil
  }

  /// Packs a leaf message together with the unknown fields that
  /// ``unpack(_:unknownFields:)`` returned.
  public init(packing message: some LeafMessage, unknownFields: UnknownFields) {
    self.init(
      typeUrl: Self.url(of: type(of: message)),
      value: message.serializedBytes(unknownFields: unknownFields))
  }

  /// Unpacks a leaf message if it is of the given type; returns nil for another type.
  ///
  /// - Parameters:
  ///   - type: the type to unpack.
  ///   - unknownFields: receives the unknown fields, which a leaf message does not keep.
  /// - Throws: ``DecodingError`` if the bytes are not a valid message of the type.
  public func unpack<M: LeafMessage>(
    _ type: M.Type = M.self, unknownFields: inout UnknownFields
  ) throws(DecodingError) -> M? {
    holds(type) ? try M(serializedBytes: value, unknownFields: &unknownFields) : nil
  }

  private static func url(of type: any Message.Type) -> String {
    "type.googleapis.com/\(type.messageName)"
  }
}
