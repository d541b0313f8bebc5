import WireProtobuf

/// Finds the entries in the text of an export: the elements of an array, alone or as `rawLogs` or
/// `entries` of an object, or consecutive objects, with or without commas.
///
/// The text may arrive in pieces. It only finds where entries begin and end. Their content is checked when they
/// are decoded.
struct CloudLogSplitter {
  /// The arrays of entries in a data set of fleet-debugger and in a response of `entries:list`.
  private static let lists = ["rawLogs", "rawlogs", "entries"].map { Array("\"\($0)\"".utf8) }

  /// fleet-debugger reads 10,000 entries.
  private static let limit = 200_000

  private var scanner = JSONScanner([])
  /// The position of the scanner's text in the file.
  private var start = (line: 1, column: 1)
  /// The number of open objects and arrays.
  private var depth = 0
  /// The depth of the elements of the open array of entries; nil outside of one.
  private var listDepth: Int?
  /// Where the open entry begins. An object outside of an array is one until it has an array of entries.
  private var entryStart: Int?
  /// Whether the last string in an object outside of an array names an array of entries.
  private var isListNamed = false
  /// The number of entries so far.
  private(set) var count = 0

  init() {
    scanner.isComplete = false
  }

  /// Returns the entries that end in the next piece of the text.
  mutating func add(_ text: [UInt8]) throws(CloudLogError) -> [[UInt8]] {
    var text = text[...]
    let mark = JSONScanner.byteOrderMark
    if start == (1, 1), scanner.text.isEmpty, text.starts(with: mark) {
      text = text.dropFirst(mark.count)
    }
    let used = entryStart ?? scanner.nextOffset
    start = position(of: used)
    scanner.append(Array(text), removingFirst: used)
    if entryStart != nil { entryStart = 0 }
    return try entries()
  }

  /// Returns the entries that end with the text.
  ///
  /// - Throws: an error if the text ends in the middle of an entry or of an array of entries.
  mutating func end() throws(CloudLogError) -> [[UInt8]] {
    scanner.isComplete = true
    let entries = try entries()
    guard depth == 0, !scanner.isInString else {
      throw error(
        at: scanner.position,
        entryStart == nil
          ? "the array of entries has no end" : "the file ends in the middle of an entry")
    }
    return entries
  }

  private mutating func entries() throws(CloudLogError) -> [[UInt8]] {
    var entries: [[UInt8]] = []
    while let token = scanner.next() {
      let isOutside = depth == (listDepth ?? 0)
      switch token {
      case .beginObject, .beginArray:
        if token == .beginArray, depth == 0 || depth == 1 && listDepth == nil && isListNamed {
          listDepth = depth + 1
          entryStart = nil
        } else if isOutside {
          entryStart = scanner.range.lowerBound
        }
        depth += 1
      case .endObject, .endArray:
        guard depth > 0 else { throw notAnEntry }
        depth -= 1
        if isOutside {
          listDepth = nil
        } else if depth == (listDepth ?? 0), let start = entryStart {
          entries.append(Array(scanner.text[start..<scanner.range.upperBound]))
          entryStart = nil
        }
      case .string, .word, .colon:
        if depth == 1, token == .string, listDepth == nil {
          isListNamed = Self.lists.contains { scanner.text[scanner.range].elementsEqual($0) }
        }
        guard isOutside else { continue }
        guard depth > 0 else { throw notAnEntry }
        entries.append(Array(scanner.text[scanner.range]))
      case .comma: break
      }
    }
    count += entries.count
    guard count <= Self.limit else {
      throw error(
        at: scanner.position,
        "more than \(Self.limit) entries; export the logs of a shorter time range")
    }
    return entries
  }

  private var notAnEntry: CloudLogError {
    error(at: scanner.range.lowerBound, "expected JSON objects or an array of them")
  }

  private func error(at offset: Int, _ reason: String) -> CloudLogError {
    let (line, column) = position(of: offset)
    return CloudLogError("\(line):\(column): \(reason)", isPlaced: true)
  }

  private func position(of offset: Int) -> (line: Int, column: Int) {
    var (line, column) = start
    for byte in scanner.text.prefix(offset) {
      column += 1
      if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 1) }
    }
    return (line, column)
  }
}

package struct CloudLogError: Error, CustomStringConvertible {
  package let description: String
  /// Whether the description begins with a line and a column.
  package let isPlaced: Bool

  init(_ description: String, isPlaced: Bool = false) {
    self.description = description
    self.isPlaced = isPlaced
  }
}
