/// Reads the JSON form of messages (protobuf's ProtoJSON format).
///
/// Only this type loads from the raw memory of JSON text; `cursor` never passes `end`. A reader
/// exists only inside functions that keep the input alive, such as ``Message/init(jsonString:options:)``. After an
/// error, `cursor` stays where the error was detected.
@safe
public struct JSONReader {
  public typealias Failure = JSONDecodingError.Reason

  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline var cursor: UnsafePointer<UInt8>
  @usableFromInline let end: UnsafePointer<UInt8>
  let options: JSONDecodingOptions
  /// The innermost message; an empty frame before the first.
  @usableFromInline var frame = Frame(fields: [])
  /// The enclosing messages, outermost first.
  var outerFrames: [Frame] = []
  /// The number of further levels that messages and map entries may nest, as in ``WireReader``. A
  /// google.protobuf.Value takes two or three levels for one level of JSON.
  @usableFromInline var remainingDepth: Int
  /// The bytes of memory that messages and map entries may still take.
  @usableFromInline var memoryBudget: Int
  /// Entries of the current map whose keys collide in Swift; see MapCollisions.swift.
  @usableFromInline var collisions = UnknownFields()
  /// Whether the next object is the message in a google.protobuf.Any.
  var isInAny = false

  /// A message that is being read.
  @usableFromInline
  struct Frame {
    let fields: [FieldDescriptor]
    /// The index of the current field in `fields`; -1 before the first.
    var current = -1
    /// Whether no member has been read yet, so no comma is required.
    var isFirst = true
    /// The indices in `fields` of the fields read so far: the first 64 as bits, the rest as a set.
    var seen: UInt64 = 0
    var seenAbove64: Set<Int> = []
    /// Whether `@type` is the type of the message here, not a field.
    var isInAny = false
  }

  init(_ input: UnsafeBufferPointer<UInt8>, options: JSONDecodingOptions) {
    // An empty buffer may have no address. Nothing is loaded from it, so any address will do.
    unsafe start = input.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    unsafe cursor = start
    unsafe end = start + input.count
    self.options = options
    remainingDepth = options.recursionLimit
    memoryBudget = WireProtobuf.memoryBudget(for: input.count, factor: options.memoryFactor)
  }

  /// The byte at the cursor; 0 at the end, which is never valid JSON.
  @inlinable
  var byte: UInt8 {
    unsafe cursor < end ? cursor.pointee : 0
  }

  @usableFromInline
  mutating func skipSpace() {
    while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { unsafe cursor += 1 }
  }

  /// Skips white space and returns the next byte.
  @inlinable
  package mutating func peek() -> UInt8 {
    if byte <= 0x20 { skipSpace() }
    return byte
  }

  /// Skips white space and consumes a required byte.
  @usableFromInline
  mutating func take(
    _ wanted: Unicode.Scalar, or expectation: JSONDecodingError.Expectation
  ) throws(JSONDecodingError.Reason) {
    guard peek() == UInt8(ascii: wanted) else { throw fault(.expected(expectation)) }
    unsafe cursor += 1
  }

  /// Returns `reason`, or `truncated` if the text has ended.
  @usableFromInline
  func fault(_ reason: JSONDecodingError.Reason) -> JSONDecodingError.Reason {
    unsafe cursor == end ? .truncated : reason
  }

  /// Consumes a word such as `null` if it comes next.
  mutating func takeWord(_ word: StaticString) -> Bool {
    guard unsafe peek() == word.utf8Start.pointee else { return false }
    let length = word.utf8CodeUnitCount
    guard unsafe end - cursor >= length else { return false }
    for index in 0..<length where unsafe cursor[index] != word.utf8Start[index] { return false }
    unsafe cursor += length
    return true
  }

  @usableFromInline
  package mutating func takeNull() -> Bool { takeWord("null") }
}

// MARK: Structure

extension JSONReader {
  @usableFromInline
  var fieldNumber: Int {
    frame.fields.indices.contains(frame.current) ? frame.fields[frame.current].number : 0
  }

  /// Begins the object of a message with the given fields.
  ///
  /// - Throws: `expected(.object)` if the next value is no object.
  public mutating func beginObject(
    _ fields: FieldTable
  ) throws(JSONDecodingError.Reason) {
    try take("{", or: .object)
    outerFrames.append(frame)
    frame = Frame(fields: fields.fields, isInAny: isInAny)
    isInAny = false
  }

  /// Ends an object, after ``nextField(_:)`` returned nil.
  public mutating func endObject() {
    if let outer = outerFrames.popLast() { frame = outer }
  }

  /// Enters messages or map entries within the current one, as `WireReader.enterMessage` does.
  @inlinable
  package mutating func enterMessages(_ levels: Int = 1) throws(JSONDecodingError.Reason) {
    remainingDepth &-= levels
    if remainingDepth < 0 { throw .tooDeep }
  }

  @inlinable
  package mutating func leaveMessages(_ levels: Int = 1) {
    remainingDepth &+= levels
  }

  /// Charges bytes to the memory budget.
  @inlinable
  package mutating func spend(_ bytes: Int) throws(JSONDecodingError.Reason) {
    memoryBudget &-= bytes
    if memoryBudget < 0 { throw .tooMuchMemory }
  }

  /// Reads the separator before the next member or element, or the closing bracket.
  ///
  /// - Returns: false at the end.
  @usableFromInline
  mutating func next(
    _ closing: Unicode.Scalar, isFirst: Bool
  ) throws(JSONDecodingError.Reason) -> Bool {
    if peek() == UInt8(ascii: closing) {
      unsafe cursor += 1
      return false
    }
    if !isFirst { try take(",", or: .commaOrEnd) }
    return true
  }

  /// Reads the elements of an array.
  @inlinable
  package mutating func array(
    _ element: (inout JSONReader) throws(JSONDecodingError.Reason) -> Void
  ) throws(JSONDecodingError.Reason) {
    try take("[", or: .array)
    var isFirst = true
    while try next("]", isFirst: isFirst) {
      isFirst = false
      try element(&self)
    }
  }

  /// Reads the members of an object that is not a message: the name, then the value.
  @inlinable
  package mutating func members(
    _ member: (inout JSONReader, String) throws(JSONDecodingError.Reason) -> Void
  ) throws(JSONDecodingError.Reason) {
    try take("{", or: .object)
    var isFirst = true
    while try next("}", isFirst: isFirst) {
      isFirst = false
      guard peek() == UInt8(ascii: "\"") else { throw fault(.expected(.key)) }
      let name = try string()
      try take(":", or: .colon)
      try member(&self, name)
    }
  }

  /// Skips any value. A message in it may take two levels of JSON: an array and an object.
  package mutating func skipValue(level: Int = 0) throws(JSONDecodingError.Reason) {
    guard level / 2 <= remainingDepth else { throw .tooDeep }
    switch peek() {
    case UInt8(ascii: "{"):
      try members { reader, _ throws(JSONDecodingError.Reason) in
        try reader.skipValue(level: level + 1)
      }
    case UInt8(ascii: "["):
      try array { reader throws(JSONDecodingError.Reason) in
        try reader.skipValue(level: level + 1)
      }
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
    case UInt8(ascii: "n") where takeNull(): break
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
    default: throw fault(.expected(.value))
    }
  }

  mutating func bool() throws(JSONDecodingError.Reason) -> Bool {
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    throw fault(.expected(.bool))
  }
}
