/// Splits JSON text (RFC 8259) into tokens and finds where values end. It checks nothing else, because text that
/// matters is also decoded, by ``JSONReader``.
///
/// Text may arrive in pieces. The scanner continues where the text ended, so it reads each byte once. It keeps no
/// stack, so deep nesting needs no memory.
package struct JSONScanner {
  package enum Token {
    case beginObject, endObject, beginArray, endArray, comma, colon, string
    /// A number, a literal such as `true`, or invalid text.
    case word

    fileprivate init(beginningWith byte: UInt8) {
      self =
        switch byte {
        case UInt8(ascii: "{"): .beginObject
        case UInt8(ascii: "}"): .endObject
        case UInt8(ascii: "["): .beginArray
        case UInt8(ascii: "]"): .endArray
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: ":"): .colon
        case UInt8(ascii: "\""): .string
        default: .word
        }
    }

    package var begins: Bool { self == .beginObject || self == .beginArray }
    package var ends: Bool { self == .endObject || self == .endArray }
  }

  /// A byte order mark, which some editors write at the start of a file in UTF-8 (RFC 8259, section 8.1).
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns a text without the byte order mark at its beginning.
  package static func withoutByteOrderMark(_ text: [UInt8]) -> [UInt8] {
    text.starts(with: byteOrderMark) ? Array(text.dropFirst(byteOrderMark.count)) : text
  }

  package private(set) var text: [UInt8]
  /// Whether all text has arrived. Otherwise the last word may continue.
  package var isComplete: Bool
  /// The offset of the next byte to read. It may be one byte behind the end of the text after a backslash.
  package private(set) var position: Int
  private var start = 0
  /// Whether the last string has a line break, which JSON does not allow.
  package private(set) var hasLineBreak = false
  /// The token that has begun but not ended.
  private var open: Token?

  /// - Parameter position: where to begin.
  package init(_ text: [UInt8], at position: Int = 0) {
    self.text = text
    self.position = position
    isComplete = true
  }

  /// Appends text.
  ///
  /// - Parameter count: how many bytes to remove from the beginning of the earlier text, all of which were read.
  ///   Offsets decrease by that number.
  package mutating func append(_ bytes: [UInt8], removingFirst count: Int) {
    text.removeFirst(count)
    text += bytes
    position -= count
    start -= count
  }

  /// Continues at an offset, where a token begins.
  package mutating func move(to offset: Int) {
    position = offset
    open = nil
  }

  /// The place of the last token. A string includes its quotes.
  package var range: Range<Int> { start..<min(position, text.count) }

  /// The offset of the token that ``peek()`` returned, or of the end of the text.
  package var nextOffset: Int { open == nil ? position : start }

  /// Whether the text ends in a string.
  package var isInString: Bool { open == .string }

  /// Moves to the next token and returns its kind; nil at the end of the text.
  package mutating func peek() -> Token? {
    if let open { return open }
    while position < text.count, Self.isSpace(text[position]) { position += 1 }
    return position < text.count ? Token(beginningWith: text[position]) : nil
  }

  /// Reads a token; nil if the text ends before the token does.
  package mutating func next() -> Token? {
    if open == nil {
      open = peek()
      start = position
      if open != nil { position += 1 }
      hasLineBreak = false
    }
    switch open {
    case .string where !skipString(): return nil
    case .word where !skipWord(): return nil
    default: break
    }
    defer { open = nil }
    return open
  }

  /// Reads a value, or the text in its place, up to the end of a string, an object or an array or else up to the
  /// next comma or closing bracket. Returns nil if the text ends before.
  package mutating func skipValue() -> Range<Int>? {
    _ = peek()
    let first = position
    var depth = 0
    while let token = peek() {
      if depth == 0, token == .comma || token.ends { return first..<position }
      guard next() != nil else { return nil }
      depth += token.begins ? 1 : token.ends ? -1 : 0
      if depth == 0, token == .string || token.ends { return first..<position }
    }
    return nil
  }

  private mutating func skipString() -> Bool {
    while position < text.count {
      let byte = text[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\n") { hasLineBreak = true }
      if byte == UInt8(ascii: "\"") { return true }
    }
    return false
  }

  private mutating func skipWord() -> Bool {
    while position < text.count {
      let byte = text[position]
      if Self.isSpace(byte) || Token(beginningWith: byte) != .word { return true }
      position += 1
    }
    return isComplete
  }

  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
