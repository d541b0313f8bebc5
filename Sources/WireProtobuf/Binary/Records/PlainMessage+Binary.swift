// A plain message that is in no other has nowhere to keep its unknown fields: whoever wants them
// keeps them beside it.

extension PlainMessage {
  /// Decodes the binary form and appends the unknown fields to `unknownFields`: a plain message does
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
      let left = reader.leftovers.take()
      if !left.isEmpty { unknownFields.append(left) }
    }
  }

  /// Encodes the binary form, then unknown fields that were handed out when decoding.
  public func serializedBytes(unknownFields: UnknownFields) -> [UInt8] {
    serializedBytes() + unknownFields.bytes
  }
}
