// Fields that the message does not have, or has with another wire type.

extension WireReader {
  /// Moves what the last field left behind to the unknown fields of the current message.
  @usableFromInline
  mutating func keepLeftovers(in unknownFields: inout UnknownFields) throws(DecodingError.Reason) {
    hasLeftovers = false
    leftovers.move(to: &unknownFields)
    if isRejected {
      isRejected = false
      let field = try unknownField()
      if !discardsUnknownFields { unknownFields.append(field) }
    }
  }

  /// Keeps an unwanted field of a plain message until the message is read.
  @usableFromInline
  mutating func keepPlainField() throws(DecodingError.Reason) {
    isRejected = false
    hasLeftovers = !leftovers.isEmpty
    let field = try unknownField()
    guard !discardsUnknownFields else { return }
    hasPlainLeftovers = true
    leftovers.append(field)
  }

  /// Hands the unknown fields of the plain message just read to the message around it.
  @usableFromInline
  mutating func passOn(
    field: Int, index: Int, fingerprint: Int
  ) throws(DecodingError.Reason) {
    hasPlainLeftovers = false
    hasLeftovers = true
    leftovers.place(at: .init(field: field, index: index), fingerprint: fingerprint)
    try spend(128)
  }

  /// Forgets the unknown fields of a map's value that another has replaced.
  @usableFromInline
  mutating func forgetPlain(field: Int, index: Int) {
    leftovers.forget(.init(field: field, index: index))
    hasLeftovers = true
  }

  /// Forgets the unknown fields of the plain message just read, whose place another takes.
  @usableFromInline
  mutating func dropPlainLeftovers() {
    guard hasPlainLeftovers else { return }
    hasPlainLeftovers = false
    leftovers.drop()
  }

  /// Notes how long a repeated plain field has become, for the unknown fields of its elements.
  @usableFromInline
  mutating func note(count: Int, of field: Int) {
    leftovers.note(count: count, of: field)
    hasLeftovers = true
  }

  /// Takes bytes off the memory budget.
  @inlinable
  mutating func spend(_ bytes: Int) throws(DecodingError.Reason) {
    memoryBudget &-= bytes
    if memoryBudget < 0 { throw .tooManyElements }
  }

  /// Skips the value of the current tag.
  ///
  /// - Returns: tag and value as they are to be written back.
  private mutating func unknownField() throws(DecodingError.Reason) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = tag
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
    let start = unsafe cursor
    try skipValue(tag)
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: cursor - start))
    return bytes
  }

  private mutating func skipValue(_ tag: UInt32) throws(DecodingError.Reason) {
    guard tag >> 3 != 0 else { throw .illegalTag }
    unknownFieldCount &+= 1
    switch WireType(rawValue: UInt8(truncatingIfNeeded: tag & 7)) {
    case .varint: _ = try varint()
    case .fixed64: _ = try fixed64()
    case .fixed32: _ = try fixed32()
    case .lengthDelimited:
      let length = try length()
      unsafe cursor += length
    case .startGroup: try skipGroup(tag >> 3)
    case .endGroup: throw .unmatchedEndGroup
    case nil: throw .illegalTag
    }
  }

  private mutating func skipGroup(_ number: UInt32) throws(DecodingError.Reason) {
    guard remainingDepth > 0 else { throw .tooDeep }
    remainingDepth &-= 1
    while let field = try nextTag() {
      if wireType == WireType.endGroup.rawValue {
        guard field == Int(number) else { throw .unmatchedEndGroup }
        remainingDepth &+= 1
        return
      }
      try skipValue(tag)
    }
    throw .truncated
  }
}
