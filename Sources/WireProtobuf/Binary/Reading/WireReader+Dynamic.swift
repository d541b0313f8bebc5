// Reading messages whose types are known only at run time.

extension WireReader {
  /// Reads bytes as a message of the given type.
  ///
  /// - Returns: the number of unknown fields at every depth.
  package static func read(
    _ bytes: [UInt8], _ options: DecodingOptions, as type: some PathType,
    _ body: (inout WireReader) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError) -> Int {
    try unsafe bytes.span.bytes.withUnsafeBytes { input throws(DecodingError) in
      var reader = unsafe WireReader(input, options: options)
      do throws(DecodingError.Reason) {
        try body(&reader)
      } catch {
        throw unsafe reader.error(error, in: input, of: type)
      }
      return reader.unknownFieldCount
    }
  }

  /// Whether the current field has this wire type.
  package func hasWireType(_ wireType: WireType) -> Bool { self.wireType == wireType.rawValue }

  /// Consumes the current field and returns its tag and value unchanged.
  package mutating func takeUnknownField() throws(DecodingError.Reason) -> [UInt8] {
    unsafe [UInt8](try unknownField())
  }

  /// Reads a length, then calls `body` to read the message of that length.
  package mutating func submessage(
    _ body: (inout WireReader) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError.Reason) {
    let outer = unsafe try enterMessage()
    try body(&self)
    unsafe leaveMessage(outer)
  }

  /// Reads a length and calls `value` until that many bytes are read.
  package mutating func packed(
    _ value: (inout WireReader) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError.Reason) {
    let length = try length()
    let outer = unsafe end
    unsafe end = cursor + length
    while unsafe cursor < end { try value(&self) }
    unsafe end = outer
  }

  /// Calls `field` with each field number up to the end of the current group.
  package mutating func group(
    _ field: (inout WireReader, Int) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError.Reason) {
    let group = fieldNumber
    guard remainingDepth > 0 else { throw .tooDeep }
    remainingDepth &-= 1
    while let number = try nextTag() {
      if hasWireType(.endGroup) {
        guard number == group else { throw .unmatchedEndGroup }
        remainingDepth &+= 1
        return
      }
      try field(&self, number)
    }
    throw .truncated
  }
}
