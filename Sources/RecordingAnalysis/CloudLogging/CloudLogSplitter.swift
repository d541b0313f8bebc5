import WireProtobuf

/// Finds the entries in the text of an export: the elements of an array, alone or as `rawLogs` or
/// `entries` of an object, or consecutive objects, with or without commas.
///
/// It only finds where they begin and end. Their content is checked when they are decoded.
struct CloudLogSplitter {
  /// The arrays of entries in a data set of fleet-debugger and in a response of `entries:list`.
  private static let lists: Set<String> = ["rawLogs", "rawlogs", "entries"]

  /// fleet-debugger reads 10,000 entries.
  private static let limit = 200_000

  private var scanner: JSONScanner
  private var entries: [Range<Int>] = []

  /// - Parameter text: JSON.
  static func entries(in text: [UInt8]) throws(CloudLogError) -> [Range<Int>] {
    let mark = JSONScanner.byteOrderMark
    let start = text.starts(with: mark) ? mark.count : 0
    var splitter = CloudLogSplitter(scanner: JSONScanner(text, at: start))
    while let token = splitter.scanner.peek() {
      switch token {
      case .beginArray: try splitter.takeArray()
      case .beginObject: try splitter.takeObject()
      case .comma: splitter.skipToken()
      default: throw splitter.error("expected JSON objects or an array of them")
      }
    }
    return splitter.entries
  }

  private mutating func skipToken() { _ = scanner.next() }

  private mutating func takeArray() throws(CloudLogError) {
    skipToken()
    while let token = scanner.peek() {
      switch token {
      case .endArray: return skipToken()
      case .comma: skipToken()
      case .beginObject: try append(try takeValue())
      default: throw error("entry \(entries.count + 1) is not an object")
      }
    }
    throw error("the array of entries has no end")
  }

  /// Takes an object that is an entry, or that has a list of entries.
  private mutating func takeObject() throws(CloudLogError) {
    let start = scanner.position
    let known = entries.count
    skipToken()
    while let token = scanner.peek(), token != .endObject {
      if token == .comma {
        skipToken()
        continue
      }
      guard token == .string else { throw error("expected a name in double quotes") }
      let name = try takeValue()
      guard scanner.peek() == .colon else { throw error("expected a colon") }
      skipToken()
      let key = String(
        decoding: scanner.text[name].dropFirst().dropLast().prefix(16), as: UTF8.self)
      if Self.lists.contains(key), scanner.peek() == .beginArray {
        try takeArray()
      } else {
        _ = try takeValue()
      }
    }
    guard scanner.next() != nil else { throw error("the object has no end") }
    let entry = start..<scanner.position
    if entries.count == known, entry.count > 2 { try append(entry) }
  }

  private mutating func append(_ entry: Range<Int>) throws(CloudLogError) {
    guard entries.count < Self.limit else {
      throw error("more than \(Self.limit) entries; export the logs of a shorter time range")
    }
    entries.append(entry)
  }

  private mutating func takeValue() throws(CloudLogError) -> Range<Int> {
    guard let value = scanner.skipValue() else {
      throw error(
        scanner.isInString
          ? "a string has no end" : "the file ends in the middle of an entry")
    }
    guard !value.isEmpty else { throw error("expected a value") }
    return value
  }

  private func error(_ reason: String) -> CloudLogError {
    let position = TextPosition(after: scanner.text.prefix(scanner.position))
    return CloudLogError("\(position): \(reason)", isPlaced: true)
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
