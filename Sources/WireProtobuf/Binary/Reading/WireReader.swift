/// Reads the binary form of messages.
///
/// Only this type and `_FixedLayoutReader` load from raw memory. Every method checks that the bytes to load
/// lie before `end`, the end of the innermost message, which is never past the end of the input. A reader
/// exists only inside functions that keep the input alive, such as
/// ``Message/merge(serializedBytes:options:unknownFieldCount:)``. After an error, `cursor` stays where the
/// error was detected.
@safe
public struct WireReader {
  public typealias Failure = DecodingError.Reason

  /// The next byte.
  @usableFromInline var cursor: UnsafeRawPointer
  /// One past the last byte of the innermost message.
  @usableFromInline var end: UnsafeRawPointer
  /// One past the last byte of the input.
  @usableFromInline let inputEnd: UnsafeRawPointer
  /// The tag read last.
  @usableFromInline var tag: UInt32 = 0
  /// Whether the reader holds something for the unknown fields of the current message: a rejected
  /// field or ``changes``.
  @usableFromInline var hasPending = false
  /// Whether the current field is unknown and its value has yet to be skipped.
  @usableFromInline var isRejected = false
  /// The number of further levels that messages and groups may nest.
  @usableFromInline var remainingDepth: Int
  /// The bytes of memory that messages, map entries and unknown fields may still take.
  @usableFromInline var memoryBudget: Int
  /// Whether unknown fields are dropped.
  @usableFromInline let discardsUnknownFields: Bool
  /// The number of unknown fields so far, including those inside groups.
  @usableFromInline var unknownFieldCount = 0
  /// The unknown fields of the leaf message being read or just read.
  @usableFromInline var leafFields: [UInt8] = []
  /// Whether some leaf message may have unknown fields: from then on it matters which leaf messages
  /// are merged or replaced.
  @usableFromInline var followsLeaves = false
  /// The pending changes of the current message's unknown fields.
  @usableFromInline var changes: [UnknownFields.Change] = []

  /// - Parameter input: must outlive the reader.
  @usableFromInline
  init(_ input: UnsafeRawBufferPointer, options: DecodingOptions) {
    // An empty buffer may have no address. Nothing is loaded from it, so any address will do.
    let start = unsafe input.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    unsafe cursor = start
    unsafe end = start + input.count
    unsafe inputEnd = end
    remainingDepth = options.recursionLimit
    discardsUnknownFields = options.discardUnknownFields
    memoryBudget = WireProtobuf.memoryBudget(for: input.count, factor: options.memoryFactor)
  }

  @inlinable
  var wireType: UInt8 { UInt8(truncatingIfNeeded: tag & 7) }

  @inlinable
  var fieldNumber: Int { Int(tag >> 3) }

  /// The number of bytes left in the innermost message.
  @inlinable
  var remaining: Int { unsafe end - cursor }
}

// MARK: Fields

extension WireReader {
  @inlinable @inline(__always)
  public mutating func nextField(
    _ unknownFields: inout UnknownFields
  ) throws(DecodingError.Reason) -> Int? {
    if hasPending { try keepPending(in: &unknownFields) }
    return try nextTag()
  }

  @inlinable @inline(__always)
  public mutating func nextLeafField() throws(DecodingError.Reason) -> Int? {
    if isRejected { try keepLeafField() }
    return try nextTag()
  }

  /// Reads a tag; nil at the end of the message. The number may be 0, which ``skipField()``
  /// rejects.
  @inlinable @inline(__always)
  package mutating func nextTag() throws(DecodingError.Reason) -> Int? {
    guard unsafe cursor < end else { return nil }
    let first = unsafe cursor.load(as: UInt8.self)
    if first < 0x80 {
      unsafe cursor += 1
      tag = UInt32(first)
    } else {
      tag = try longTag()
    }
    return fieldNumber
  }

  @usableFromInline
  mutating func longTag() throws(DecodingError.Reason) -> UInt32 {
    var value: UInt64 = 0
    for index in 0..<5 {
      guard index < remaining else { throw .truncatedTag }
      let byte = unsafe cursor.load(fromByteOffset: index, as: UInt8.self)
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte < 0x80 {
        guard let tag = UInt32(exactly: value) else { throw .malformedTag }
        unsafe cursor += index + 1
        return tag
      }
    }
    throw .malformedTag
  }

  /// Adds the current field to the unknown fields. Nothing of its value may have been read.
  @inlinable
  public mutating func skipField() {
    isRejected = true
    hasPending = true
  }

  /// Whether the field has the expected wire type; if not, it is treated as unknown.
  @inlinable @inline(__always)
  mutating func expect(_ wireType: WireType) -> Bool {
    if self.wireType == wireType.rawValue { return true }
    skipField()
    return false
  }
}

// MARK: Sub-messages

extension WireReader {
  /// Reads a length and makes the bytes it covers the innermost message.
  ///
  /// - Returns: the end of the enclosing message, for ``leaveMessage(_:)``.
  @inlinable @inline(__always)
  mutating func enterMessage() throws(DecodingError.Reason) -> UnsafeRawPointer {
    let length = try length()
    guard remainingDepth > 0 else { throw .tooDeep }
    remainingDepth &-= 1
    let outer = unsafe end
    unsafe end = cursor + length
    return unsafe outer
  }

  @inlinable @inline(__always)
  mutating func leaveMessage(_ outer: UnsafeRawPointer) {
    remainingDepth &+= 1
    unsafe end = outer
  }
}
