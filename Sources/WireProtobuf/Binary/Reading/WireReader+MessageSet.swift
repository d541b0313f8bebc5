// Message sets (`message_set_wire_format`): an extension is written as
// `group Item = 1 { required uint32 type_id = 2; required bytes message = 3; }`, where the type ID
// is the field number of the extension. The lenient cases follow upb.

extension WireReader {
  /// Reads an item whose start-group tag has just been read, and calls `body` with the type ID and
  /// the reader at the start of the message.
  ///
  /// Type ID and message may come in any order; the first of each is used. Other fields are
  /// dropped, and an item without a type ID or a message is dropped.
  package mutating func messageSetItem(
    _ body: (inout WireReader, Int) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError.Reason) {
    var typeID: UInt32?
    var message: UnsafeRawBufferPointer?
    while let number = try nextTag() {
      switch (number, WireType(rawValue: wireType)) {
      case (1, .endGroup):
        guard let typeID, let message = unsafe message, let start = message.baseAddress else {
          return
        }
        let (itemEnd, outer) = unsafe (cursor, end)
        unsafe (cursor, end) = unsafe (start, start + message.count)
        try body(&self, Int(typeID))
        unsafe (cursor, end) = unsafe (itemEnd, outer)
        return
      case (2, .varint):
        let read = UInt32(truncatingIfNeeded: try varint())
        typeID = typeID ?? read
      case (3, .lengthDelimited):
        let length = try length()
        if unsafe message == nil {
          unsafe message = UnsafeRawBufferPointer(start: cursor, count: length)
        }
        unsafe cursor += length
      default: try skipValue()
      }
    }
    throw .truncated
  }

  /// Reads the message of an item with `body`, to its end.
  ///
  /// It takes one level of the recursion limit and, as in upb, may not take the last one.
  package mutating func itemMessage(
    _ body: (inout WireReader) throws(DecodingError.Reason) -> Void
  ) throws(DecodingError.Reason) {
    guard remainingDepth > 1 else { throw .tooDeep }
    remainingDepth &-= 1
    try body(&self)
    remainingDepth &+= 1
  }

  /// Consumes the message of an item with an unknown type ID and returns its bytes.
  package mutating func unknownItemMessage() -> [UInt8] {
    unknownFieldCount &+= 1
    defer { unsafe cursor = end }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: cursor, count: remaining))
  }
}
