package struct TextPosition: Hashable, Sendable {
  /// The line, from 1.
  package private(set) var line = 1
  /// The column in bytes, from 1.
  package private(set) var column = 1

  /// Creates the position of the beginning.
  package init() {}

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Creates the position directly after some text.
  ///
  /// - Parameter start: the position of the text.
  package init(after text: some Sequence<UInt8>, from start: TextPosition = TextPosition()) {
    self = start
    for byte in text {
      column += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      }
    }
  }
}

extension TextPosition: CustomStringConvertible {
  package var description: String { "\(line):\(column)" }
}
