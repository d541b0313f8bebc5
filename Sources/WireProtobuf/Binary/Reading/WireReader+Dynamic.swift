// What messages are read with whose types are known at run time only.

extension WireReader {
  /// Reads bytes as a message of a type.
  ///
  /// - Returns: how many fields the types did not know, at every depth.
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

  /// The number of the next field; nil at the end of the message.
  package mutating func nextNumber() throws(DecodingError.Reason) -> Int? { try nextTag() }

  /// Whether the value of the field just met has this wire type.
  package func stands(_ wireType: WireType) -> Bool { self.wireType == wireType.rawValue }

  /// Takes a field that the message does not have: tag and value as they are.
  package mutating func unwanted() throws(DecodingError.Reason) -> [UInt8] {
    unsafe [UInt8](try unknownField())
  }

  /// Takes a number off the memory budget, in bytes.
  package mutating func account(_ bytes: Int) throws(DecodingError.Reason) { try spend(bytes) }

  /// Reads a length and with `body` what it spans, up to its end.
  package mutating func submessage(
    _ body: (inout WireReader) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError.Reason) {
    let outer = unsafe try enterMessage()
    try body(&self)
    unsafe leaveMessage(outer)
  }

  /// Reads a length and calls `value` until what it spans is read.
  package mutating func packed(
    _ value: (inout WireReader) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError.Reason) {
    let length = try length()
    let outer = unsafe end
    unsafe end = cursor + length
    while unsafe cursor < end { try value(&self) }
    unsafe end = outer
  }

  /// Calls `field` with each number up to the end of the group just met.
  package mutating func group(
    _ field: (inout WireReader, Int) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError.Reason) {
    let group = fieldNumber
    guard remainingDepth > 0 else { throw .tooDeep }
    remainingDepth &-= 1
    while let number = try nextTag() {
      if stands(.endGroup) {
        guard number == group else { throw .unmatchedEndGroup }
        remainingDepth &+= 1
        return
      }
      try field(&self, number)
    }
    throw .truncated
  }
}
