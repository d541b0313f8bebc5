/// Reads the binary form of messages.
///
/// The one place that loads from raw memory: every method checks that what it is about to load
/// lies before `end`, the end of the innermost message, which itself never lies past the input.
/// A reader lives inside ``Message/merge(serializedBytes:options:unknownFieldCount:)``, which
/// keeps the input alive. When it throws, `cursor` stays where the fault was found.
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
  /// Whether something waits in the reader for the unknown fields of the current message: a field that
  /// is not wanted, or ``changes``.
  @usableFromInline var hasPending = false
  /// Whether the field read last was not wanted: its value has yet to be skipped.
  @usableFromInline var isRejected = false
  /// How much deeper messages and groups may nest.
  @usableFromInline var remainingDepth: Int
  /// How many more bytes of memory messages, map entries and unknown fields may take.
  @usableFromInline var memoryBudget: Int
  /// Whether unknown fields are dropped.
  @usableFromInline let discardsUnknownFields: Bool
  /// The unknown fields met so far, also inside groups.
  @usableFromInline var unknownFieldCount = 0
  /// The unknown fields of the leaf message being read or just read.
  @usableFromInline var leafFields: [UInt8] = []
  /// Whether some leaf message may have unknown fields: from then on it matters which leaf messages
  /// are merged or replaced.
  @usableFromInline var followsLeaves = false
  /// What the current message is to do to its unknown fields.
  @usableFromInline var changes: [UnknownFields.Change] = []

  /// The input must outlive the reader.
  @usableFromInline
  init(_ input: UnsafeRawBufferPointer, options: DecodingOptions) {
    // An empty buffer may have no address; any will do, nothing is loaded from it.
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

  /// Bytes left in the innermost message.
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

  /// Reads a tag; nil at the end of the message. The number may be 0: ``skipField()`` refuses it.
  @inlinable @inline(__always)
  mutating func nextTag() throws(DecodingError.Reason) -> Int? {
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

  /// Leaves the field to the unknown ones. Nothing of its value may have been read.
  @inlinable
  public mutating func skipField() {
    isRejected = true
    hasPending = true
  }

  /// Whether the field has the wire type asked for; when not it counts as unknown.
  @inlinable @inline(__always)
  mutating func expect(_ wireType: WireType) -> Bool {
    if self.wireType == wireType.rawValue { return true }
    skipField()
    return false
  }
}

// MARK: Sub-messages

extension WireReader {
  /// Reads a length and makes the bytes it spans the innermost message.
  ///
  /// - Returns: the end of the message around it, to be handed to ``leaveMessage(_:)``.
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
