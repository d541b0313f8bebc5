import WireProtobuf

/// Splits a stream of JSON into its values, with or without white space between them. It only finds their
/// ends; the content is checked when a value is decoded. A byte order mark at the start is ignored (RFC 8259,
/// section 8.1).
struct JSONValues {
  struct Value: Equatable {
    var text: [UInt8]
    var position: TextPosition
  }

  struct TooLong: Error, Equatable {
    let limit: Int
    let position: TextPosition
  }

  private let limit: Int
  private var scanner = JSONScanner([])
  /// The end of the last value in the scanner's text, and its position.
  private var end = 0
  private var position = TextPosition()
  /// The start of the current value.
  private var start: Int?
  /// The end of the words of which the current value consists so far.
  private var wordEnd: Int?
  private var depth = 0
  /// Whether a byte order mark may follow.
  private var isAtStart = true

  init(limit: Int = 64 << 20) {
    self.limit = limit
  }

  /// Whether there is text other than white space after the last value.
  var hasText: Bool { !scanner.text[end...].allSatisfy(JSONScanner.isSpace) }

  mutating func append(_ bytes: [UInt8]) {
    scanner.append(bytes, removingFirst: end)
    start = start.map { $0 - end }
    wordEnd = wordEnd.map { $0 - end }
    end = 0
  }

  /// Returns the next value if it is complete.
  ///
  /// - Parameter isEnd: whether the input is complete; then the rest is a value, too.
  mutating func next(isEnd: Bool) throws(TooLong) -> Value? {
    guard skipByteOrderMark(isEnd: isEnd) else { return nil }
    scanner.isComplete = isEnd
    while true {
      let token = scanner.peek()
      // A number or a word ends before a character that it cannot contain.
      if let wordEnd, scanner.nextOffset > wordEnd || token == .string || token?.begins == true {
        return take(wordEnd)
      }
      guard let token else { break }
      let start = start ?? scanner.nextOffset
      self.start = start
      let isWhole = scanner.next() != nil
      guard scanner.position - start <= limit else {
        let position = TextPosition(after: scanner.text[end..<start], from: position)
        throw TooLong(limit: limit, position: position)
      }
      guard isWhole else { break }
      depth = max(0, depth + (token.begins ? 1 : token.ends ? -1 : 0))
      guard depth == 0 else { continue }
      if token == .string || token.ends { return take(scanner.position) }
      wordEnd = scanner.position
    }
    guard isEnd else { return nil }
    defer { (scanner, end) = (JSONScanner([]), 0) }
    return take(scanner.text.count)
  }

  /// Returns whether the start of the text is known.
  private mutating func skipByteOrderMark(isEnd: Bool) -> Bool {
    guard isAtStart else { return true }
    let mark = JSONScanner.byteOrderMark
    let text = scanner.text
    guard isEnd || text.count >= mark.count || !mark.starts(with: text) else { return false }
    isAtStart = false
    guard text.starts(with: mark) else { return true }
    scanner = JSONScanner(text, at: mark.count)
    end = mark.count
    return true
  }

  /// Returns the current value if there is one.
  private mutating func take(_ valueEnd: Int) -> Value? {
    guard let start else { return nil }
    let position = TextPosition(after: scanner.text[end..<start], from: position)
    let value = Value(text: Array(scanner.text[start..<valueEnd]), position: position)
    self.position = TextPosition(after: value.text, from: position)
    (end, depth) = (valueEnd, 0)
    (self.start, wordEnd) = (nil, nil)
    return value
  }
}
