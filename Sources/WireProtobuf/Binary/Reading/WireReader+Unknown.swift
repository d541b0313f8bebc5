// Unknown fields: not in the message type, or with an unexpected wire type.

extension WireReader {
  /// Moves the pending changes of the current message to its unknown fields.
  @usableFromInline
  mutating func keepPending(in unknownFields: inout UnknownFields) throws(DecodingError.Reason) {
    hasPending = false
    if !changes.isEmpty {
      unknownFields.apply(changes)
      changes = []
    }
    if isRejected {
      isRejected = false
      let field = unsafe try unknownField()
      guard !discardsUnknownFields else { return }
      if unknownFields.isEmpty { try spend(128) }
      unsafe unknownFields.append(field)
    }
  }

  /// Keeps the current field, a map entry that does not fit in the dictionary.
  @usableFromInline
  mutating func keepEntry() throws(DecodingError.Reason) {
    // The bytes of the entry include the unknown fields of its value.
    leafFields = []
    change(.append(unsafe [UInt8](try unknownField())))
    // The entry is not an unknown field.
    unknownFieldCount &-= 1
  }

  /// Keeps an unknown field of a leaf message until the message is read.
  @usableFromInline
  mutating func keepLeafField() throws(DecodingError.Reason) {
    isRejected = false
    hasPending = !changes.isEmpty
    let field = unsafe try unknownField()
    guard !discardsUnknownFields else { return }
    followsLeaves = true
    unsafe leafFields.append(contentsOf: field)
  }

  /// Passes the unknown fields of the leaf message just read, if any, to the enclosing message.
  ///
  /// - Parameter former: the fingerprint of the value that it was merged into; nil if it is new.
  @usableFromInline
  mutating func endLeaf(
    field: Int, index: Int, former: Int?, fingerprint: Int
  ) throws(DecodingError.Reason) {
    if !leafFields.isEmpty { try spend(128) }
    let fields = UnknownFields.LeafFields(fingerprint: fingerprint, bytes: leafFields)
    change(.read(.init(field: field, index: index), former: former, fields))
    leafFields = []
  }

  /// Drops the unknown fields of the leaf messages that other members of a oneof may have held.
  @usableFromInline
  mutating func removeLeaves(_ fields: [Int]) {
    for field in fields { change(.remove(.init(field: field, index: 0))) }
  }

  private mutating func change(_ change: UnknownFields.Change) {
    changes.append(change)
    hasPending = true
  }

  /// Charges bytes to the memory budget.
  @inlinable
  package mutating func spend(_ bytes: Int) throws(DecodingError.Reason) {
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
