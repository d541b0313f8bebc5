// A top-level leaf message cannot store its unknown fields, so the caller keeps them separately.

extension LeafMessage {
  /// Decodes the binary form and appends the unknown fields to `unknownFields`: a leaf message does
  /// not keep them.
  ///
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  public init(
    serializedBytes bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions(),
    unknownFields: inout UnknownFields
  ) throws(DecodingError) {
    self.init()
    try unsafe Array(bytes).span.bytes.withUnsafeBytes { input throws(DecodingError) in
      var reader = unsafe WireReader(input, options: options)
      try unsafe decode(input, with: &reader)
      if !reader.leafFields.isEmpty { unknownFields.append(reader.leafFields) }
    }
  }

  /// Encodes the message, followed by the unknown fields that decoding returned.
  public func serializedBytes(unknownFields: UnknownFields) -> [UInt8] {
    serializedBytes() + unknownFields.bytes
  }
}
