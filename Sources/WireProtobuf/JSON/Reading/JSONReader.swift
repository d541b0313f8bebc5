/// Reads the JSON form of messages (protobuf's ProtoJSON format).
///
/// The one place of JSON that loads from raw memory: `cursor` never passes `end`. A reader lives
/// inside ``Message/init(jsonString:options:)``, which keeps the input alive. When it throws,
/// `cursor` stays where the fault was found.
@safe
public struct JSONReader {
  public typealias Failure = JSONDecodingError.Reason

  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline var cursor: UnsafePointer<UInt8>
  @usableFromInline let end: UnsafePointer<UInt8>
  package let options: JSONDecodingOptions
  /// The innermost message; before the first an empty one.
  @usableFromInline var frame = Frame(fields: [])
  /// The messages around it, outermost first.
  var outerFrames: [Frame] = []
  @usableFromInline var remainingDepth: Int
  /// How many more bytes of memory messages and map entries may take.
  @usableFromInline var memoryBudget: Int
  /// Entries of the map just read whose keys are others to protobuf and not to Swift.
  @usableFromInline var collisions = UnknownFields()
  /// Whether the object that comes next is the message in a google.protobuf.Any.
  var isInAny = false

  /// A message of which some is read.
  @usableFromInline
  struct Frame {
    let fields: [FieldDescriptor]
    /// Where in `fields` the current one is, -1 before the first.
    var current = -1
    /// Whether a comma has to come before the next member.
    var isFirst = true
    /// The fields that were there, by their places in `fields`: the first 64, and the rest.
    var seen: UInt64 = 0
    var seenAbove64: Set<Int> = []
    /// Whether `@type` is not a field here but the type of the message.
    var isInAny = false
  }

  init(_ input: UnsafeBufferPointer<UInt8>, options: JSONDecodingOptions) {
    // An empty buffer may have no address; any will do, nothing is loaded from it.
    unsafe start = input.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    unsafe cursor = start
    unsafe end = start + input.count
    self.options = options
    remainingDepth = options.recursionLimit
    memoryBudget = WireProtobuf.memoryBudget(for: input.count, factor: options.memoryFactor)
  }

  /// The byte under the cursor; 0 at the end, which JSON allows nowhere.
  @inlinable
  var byte: UInt8 {
    unsafe cursor < end ? cursor.pointee : 0
  }

  @usableFromInline
  mutating func skipSpace() {
    while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { unsafe cursor += 1 }
  }

  /// Skips white space; the byte after it.
  @inlinable
  package mutating func peek() -> UInt8 {
    if byte <= 0x20 { skipSpace() }
    return byte
  }

  /// Takes a byte that has to come, after white space.
  @usableFromInline
  mutating func take(
    _ wanted: Unicode.Scalar, or expectation: JSONDecodingError.Expectation
  ) throws(JSONDecodingError.Reason) {
    guard peek() == UInt8(ascii: wanted) else { throw fault(.expected(expectation)) }
    unsafe cursor += 1
  }

  /// The reason, or that the text ended.
  @usableFromInline
  package func fault(_ reason: JSONDecodingError.Reason) -> JSONDecodingError.Reason {
    unsafe cursor == end ? .truncated : reason
  }

  /// Takes a word such as `null` if it stands there.
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
  /// The number of the current field.
  @usableFromInline
  var fieldNumber: Int {
    frame.fields.indices.contains(frame.current) ? frame.fields[frame.current].number : 0
  }

  public mutating func beginObject(
    _ fields: FieldTable
  ) throws(JSONDecodingError.Reason) {
    try take("{", or: .object)
    try descend()
    outerFrames.append(frame)
    frame = Frame(fields: fields.fields, isInAny: isInAny)
    isInAny = false
  }

  /// After ``nextField(_:)`` was nil.
  public mutating func endObject() {
    if let outer = outerFrames.popLast() { frame = outer }
    remainingDepth += 1
  }

  @usableFromInline
  mutating func descend() throws(JSONDecodingError.Reason) {
    guard remainingDepth > 0 else { throw .tooDeep }
    remainingDepth -= 1
  }

  /// Takes bytes off the memory budget.
  @inlinable
  package mutating func spend(_ bytes: Int) throws(JSONDecodingError.Reason) {
    memoryBudget &-= bytes
    if memoryBudget < 0 { throw .tooMuchMemory }
  }

  /// The separator before the next member or element, or the closing bracket.
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
    try descend()
    var isFirst = true
    while try next("]", isFirst: isFirst) {
      isFirst = false
      try element(&self)
    }
    remainingDepth += 1
  }

  /// Reads the members of an object that is no message: the name, then the value.
  @inlinable
  package mutating func members(
    _ member: (inout JSONReader, String) throws(JSONDecodingError.Reason) -> Void
  ) throws(JSONDecodingError.Reason) {
    try take("{", or: .object)
    try descend()
    var isFirst = true
    while try next("}", isFirst: isFirst) {
      isFirst = false
      guard peek() == UInt8(ascii: "\"") else { throw fault(.expected(.key)) }
      let name = try string()
      try take(":", or: .colon)
      try member(&self, name)
    }
    remainingDepth += 1
  }

  /// Skips a value of any kind.
  mutating func skipValue() throws(JSONDecodingError.Reason) {
    switch peek() {
    case UInt8(ascii: "{"):
      try members { reader, _ throws(JSONDecodingError.Reason) in try reader.skipValue() }
    case UInt8(ascii: "["):
      try array { reader throws(JSONDecodingError.Reason) in try reader.skipValue() }
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
