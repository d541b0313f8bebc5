extension AnyMessage {
  /// Puts a message into an Any, under `type.googleapis.com`.
  public init(packing message: some Message) {
    self.init(typeUrl: Self.url(of: type(of: message)), value: message.serializedBytes())
  }

  /// Whether the message inside is of the type, by what follows the last slash of the URL.
  public func holds<M: Message>(_ type: M.Type) -> Bool {
    let name = "/\(M.messageName)".utf8
    return typeUrl.utf8.suffix(name.count).elementsEqual(name)
  }

  /// The message inside, if it is of the type: nil when the type is another.
  ///
  /// - Throws: ``DecodingError`` when the bytes are no message of the type.
  public func unpack<M: Message>(_ type: M.Type = M.self) throws(DecodingError) -> M? {
    holds(type) ? try M(serializedBytes: value) : nil
  }

  /// Puts a leaf message into an Any, with the unknown fields that ``unpack(_:unknownFields:)``
  /// handed out.
  public init(packing message: some LeafMessage, unknownFields: UnknownFields) {
    self.init(
      typeUrl: Self.url(of: type(of: message)),
      value: message.serializedBytes(unknownFields: unknownFields))
  }

  /// The leaf message inside, if it is of the type; appends the unknown fields to `unknownFields`,
  /// as a leaf message does not keep them.
  ///
  /// - Throws: ``DecodingError`` when the bytes are no message of the type.
  public func unpack<M: LeafMessage>(
    _ type: M.Type = M.self, unknownFields: inout UnknownFields
  ) throws(DecodingError) -> M? {
    holds(type) ? try M(serializedBytes: value, unknownFields: &unknownFields) : nil
  }

  private static func url(of type: any Message.Type) -> String {
    "type.googleapis.com/\(type.messageName)"
  }
}
