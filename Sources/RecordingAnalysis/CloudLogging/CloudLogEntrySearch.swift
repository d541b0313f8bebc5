import WireProtobuf

/// Searches for the entry after a damaged one: an object that begins a line and is not indented more, or that begins
/// with the same key, as on one line.
struct CloudLogEntrySearch {
  private let column: Int
  /// Empty if the damaged entry has none.
  private let key: [UInt8]
  /// The present column, in a line that has only spaces and commas so far; nil otherwise.
  private var blankColumn: Int?

  /// - Parameters:
  ///   - start: the offset of the damaged entry in the text.
  ///   - column: where it begins in its line, from 0.
  init(after start: Int, column: Int, in text: [UInt8]) {
    self.column = column
    var scanner = JSONScanner(text, at: start + 1)
    let isKey = scanner.next() == .string && !scanner.hasLineBreak
    key = isKey ? Array(text[scanner.range]) : []
  }

  /// Returns where the next entry begins, or where the search has to go on when more text has arrived.
  mutating func next(
    in text: ArraySlice<UInt8>, isComplete: Bool
  ) -> (offset: Int, isFound: Bool) {
    for offset in text.indices {
      let byte = text[offset]
      if byte == UInt8(ascii: "{") {
        if let blankColumn, blankColumn <= column { return (offset, true) }
        let rest = text[(offset + 1)...].drop(while: JSONScanner.isSpace)
        if !key.isEmpty, rest.starts(with: key) { return (offset, true) }
        if !isComplete, rest.count < key.count { return (offset, false) }
      }
      blankColumn =
        byte == UInt8(ascii: "\n")
        ? 0
        : JSONScanner.isSpace(byte) || byte == UInt8(ascii: ",") ? blankColumn.map { $0 + 1 } : nil
    }
    return (text.endIndex, false)
  }
}
