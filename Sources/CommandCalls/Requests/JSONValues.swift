import Replay

/// Splits a stream of JSON into its values, with or without white space between them. It only finds their
/// ends; the content is checked when a value is decoded. A byte order mark at the start is ignored (RFC 8259,
/// section 8.1).
struct JSONValues {
  /// A value and its place.
  struct Value: Equatable {
    var text: [UInt8]
    /// From 1.
    var line: Int
    /// In bytes of the line, from 1.
    var column: Int
  }

  /// A value that is longer than the limit.
  struct TooLong: Error, Equatable {
    let limit: Int
    /// The start of the value, as in ``Value``.
    let line: Int
    let column: Int
  }

  private let limit: Int
  private var text: [UInt8] = []
  /// The start of the current value in `text`.
  private var start = 0
  /// The length of its known part.
  private var length = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var line = 1
  private var column = 1
  /// Whether a byte order mark may follow.
  private var isAtStart = true

  init(limit: Int = 64 << 20) {
    self.limit = limit
  }

  /// Whether there is text other than white space after the last value.
  var hasText: Bool { !text[start...].allSatisfy(Self.isSpace) }

  mutating func append(_ bytes: [UInt8]) {
    text.removeFirst(start)
    start = 0
    text += bytes
  }

  /// Returns the next value if it is complete.
  ///
  /// - Parameter isEnd: whether the input is complete; then the rest is a value, too.
  mutating func next(isEnd: Bool) throws(TooLong) -> Value? {
    if isAtStart {
      let mark = ReplaySource.byteOrderMark
      guard isEnd || text.count >= mark.count || !mark.starts(with: text) else { return nil }
      if text.starts(with: mark) { start = mark.count }
      isAtStart = false
    }
    if length == 0 { skipSpace() }
    while start + length < text.count {
      if let end = step() { return take(end) }
      guard length <= limit else { throw TooLong(limit: limit, line: line, column: column) }
    }
    return isEnd && length > 0 ? take(length) : nil
  }

  private mutating func skipSpace() {
    var count = 0
    while start + count < text.count, Self.isSpace(text[start + count]) { count += 1 }
    drop(count)
  }

  /// Reads one more byte. Returns the length of the value when it is complete.
  private mutating func step() -> Int? {
    let byte = text[start + length]
    if isInString {
      length += 1
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
        if depth == 0 { return length }
      }
      return nil
    }
    // A number or a word ends before a character that it cannot contain.
    if depth == 0, length > 0, Self.isSpace(byte) || Self.begins(byte) { return length }
    length += 1
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth = max(0, depth - 1)
      if depth == 0 { return length }
    default: break
    }
    return nil
  }

  private mutating func take(_ count: Int) -> Value {
    let value = Value(text: Array(text[start..<(start + count)]), line: line, column: column)
    drop(count)
    length = 0
    depth = 0
    isInString = false
    isEscaped = false
    return value
  }

  private mutating func drop(_ count: Int) {
    for byte in text[start..<(start + count)] {
      column += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      }
    }
    start += count
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func begins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"")
  }
}
