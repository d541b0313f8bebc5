/// Writes the JSON form of messages (protobuf's ProtoJSON format) into growing memory.
///
/// The creator of a writer must free it with `deallocate()`.
@safe
public struct JSONWriter {
  public typealias Failure = JSONEncodingError

  @usableFromInline var buffer: UnsafeMutableBufferPointer<UInt8>
  @usableFromInline var count = 0
  @usableFromInline let isPretty: Bool
  let types: TypeRegistry
  /// The number of open objects and arrays.
  private(set) var depth = 0
  /// Whether the innermost object or array is empty so far.
  private var isFirst = true
  /// The type URL of the google.protobuf.Any whose message comes next.
  var typeURL: String?

  @usableFromInline
  init(_ options: JSONEncodingOptions) {
    unsafe buffer = .allocate(capacity: 1024)
    isPretty = options.pretty
    types = options.types
  }

  @usableFromInline
  func deallocate() {
    unsafe buffer.deallocate()
  }

  /// The bytes written so far.
  @usableFromInline
  var bytes: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(rebasing: buffer[..<count])
  }
}

// MARK: Structure

extension JSONWriter {
  /// Begins an object. The object of a message in a google.protobuf.Any starts with its `@type`.
  public mutating func beginObject() {
    begin("{")
    if let url = typeURL {
      typeURL = nil
      key("@type")
      put(string: url)
    }
  }

  /// Ends the innermost object.
  public mutating func endObject() {
    end("}")
  }

  @usableFromInline
  package mutating func beginArray() {
    begin("[")
  }

  @usableFromInline
  package mutating func endArray() {
    end("]")
  }

  private mutating func begin(_ bracket: Unicode.Scalar) {
    put(UInt8(ascii: bracket))
    depth += 1
    isFirst = true
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    depth -= 1
    if isPretty && !isFirst { breakLine() }
    put(UInt8(ascii: bracket))
    isFirst = false
  }

  /// Separates an array element or object member from the previous one.
  @usableFromInline
  package mutating func next() {
    if !isFirst { put(UInt8(ascii: ",")) }
    isFirst = false
    if isPretty { breakLine() }
  }

  /// Starts a member of an object. The name must not need escapes.
  @usableFromInline
  mutating func key(_ name: StaticString) {
    next()
    let length = name.utf8CodeUnitCount
    reserve(length + 4)
    put(UInt8(ascii: "\""))
    unsafe put(UnsafeBufferPointer(start: name.utf8Start, count: length))
    put("\": ", isPretty ? 3 : 2)
  }

  /// Starts a member of an object. The name is escaped.
  @usableFromInline
  package mutating func key(escaping name: String) {
    next()
    put(string: name)
    put(": ", isPretty ? 2 : 1)
  }

  private mutating func breakLine() {
    reserve(1 + 2 * depth)
    unsafe buffer[count] = UInt8(ascii: "\n")
    unsafe buffer[(count + 1)..<(count + 1 + 2 * depth)].update(repeating: UInt8(ascii: " "))
    count += 1 + 2 * depth
  }
}

// MARK: Bytes

extension JSONWriter {
  /// Ensures capacity for `needed` more bytes.
  @inlinable
  mutating func reserve(_ needed: Int) {
    if unsafe buffer.count - count < needed { grow(needed) }
  }

  @usableFromInline
  mutating func grow(_ needed: Int) {
    let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: max(buffer.count * 2, count + needed))
    _ = unsafe larger.initialize(from: bytes)
    unsafe buffer.deallocate()
    unsafe buffer = larger
  }

  mutating func put(_ byte: UInt8) {
    reserve(1)
    unsafe buffer[count] = byte
    count += 1
  }

  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    reserve(bytes.count)
    guard let source = bytes.baseAddress, let target = unsafe buffer.baseAddress else { return }
    unsafe (target + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  /// Writes the first `length` bytes of a literal, or all of it.
  mutating func put(_ text: StaticString, _ length: Int? = nil) {
    unsafe put(
      UnsafeBufferPointer(start: text.utf8Start, count: length ?? text.utf8CodeUnitCount))
  }

  /// Writes text that needs neither quotes nor escapes.
  package mutating func put(plain text: String) {
    var text = text
    text.withUTF8 { unsafe put($0) }
  }
}
