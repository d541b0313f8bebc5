// Unknown fields: not in the message type, or with an unexpected wire type.

extension WireReader {
  /// Moves what the last field left behind to the unknown fields of the current message.
  @usableFromInline
  mutating func keepLeftovers(in unknownFields: inout UnknownFields) throws(DecodingError.Reason) {
    hasLeftovers = false
    leftovers.move(to: &unknownFields)
    if isRejected {
      isRejected = false
      let field = unsafe try unknownField()
      guard !discardsUnknownFields else { return }
      if unknownFields.isEmpty { try spend(128) }
      unsafe unknownFields.append(field)
    }
  }

  /// Keeps the current field, an entry of a map that has no place in its dictionary.
  @usableFromInline
  mutating func keepEntry() throws(DecodingError.Reason) {
    hasPlainLeftovers = false
    leftovers.take()
    unsafe leftovers.append(entry: try unknownField())
    hasLeftovers = true
    // It is known.
    unknownFieldCount &-= 1
  }

  /// Keeps an unwanted field of a plain message until the message is read.
  @usableFromInline
  mutating func keepPlainField() throws(DecodingError.Reason) {
    isRejected = false
    hasLeftovers = !leftovers.isEmpty
    let field = unsafe try unknownField()
    guard !discardsUnknownFields else { return }
    hasPlainLeftovers = true
    tracksPlaces = true
    unsafe leftovers.append(field)
  }

  /// Hands the unknown fields of the plain message just read, which may be none, to the message
  /// around it.
  ///
  /// - Parameter isNew: whether the message takes the place of what was there before; else it was
  ///   merged into that.
  @usableFromInline
  mutating func passOn(
    field: Int, index: Int, isNew: Bool, fingerprint: Int
  ) throws(DecodingError.Reason) {
    if hasPlainLeftovers { try spend(128) }
    hasPlainLeftovers = false
    hasLeftovers = true
    leftovers.place(
      at: .init(field: field, index: index), isNew: isNew, fingerprint: fingerprint)
  }

  /// Forgets the unknown fields of the plain messages that other members of a oneof may have held.
  @usableFromInline
  mutating func leave(_ fields: [Int]) {
    for field in fields {
      leftovers.place(at: .init(field: field, index: 0), isNew: true, fingerprint: 0)
      hasLeftovers = true
    }
  }

  /// Notes how long a repeated plain field has become, for the unknown fields of its elements.
  @usableFromInline
  mutating func note(count: Int, of field: Int) {
    leftovers.note(count: count, of: field)
    hasLeftovers = true
  }

  /// Charges bytes to the memory budget.
  @inlinable
  mutating func spend(_ bytes: Int) throws(DecodingError.Reason) {
    memoryBudget &-= bytes
    if memoryBudget < 0 { throw .tooMuchMemory }
  }

  /// Consumes the value of the current tag.
  ///
  /// - Returns: the bytes of tag and value.
  mutating func unknownField() throws(DecodingError.Reason) -> UnsafeRawBufferPointer {
    var start = unsafe cursor
    let tag = self.tag
    try skipValue()
    // The tag precedes its value directly. Adding up 7 bits per byte backward from its last byte
    // yields the tag exactly at its first byte and not before, because the tag is not 0.
    var bits: UInt32 = 0
    repeat {
      unsafe start -= 1
      bits = bits << 7 | UInt32(unsafe start.load(as: UInt8.self) & 0x7F)
    } while bits != tag
    return unsafe UnsafeRawBufferPointer(start: start, count: cursor - start)
  }

  /// Skips the value of the current tag.
  mutating func skipValue() throws(DecodingError.Reason) {
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
      try skipValue()
    }
    throw .truncated
  }
}

/// The memory budget in bytes of an input: 1 MiB plus `factor` times its size.
@usableFromInline
func memoryBudget(for byteCount: Int, factor: Int) -> Int {
  let (product, overflow) = byteCount.multipliedReportingOverflow(by: max(0, factor))
  let (budget, carry) = product.addingReportingOverflow(1 << 20)
  return overflow || carry ? .max : budget
}
