/// Finds the entries in the text of an export: the elements of an array, alone or as `rawLogs` or
/// `entries` of an object, or consecutive objects, with or without commas.
///
/// It only finds where they begin and end. Their content is checked when they are decoded.
struct CloudLogSplitter {
  /// The arrays of entries in a data set of fleet-debugger and in a response of `entries:list`.
  private static let lists: Set<String> = ["rawLogs", "rawlogs", "entries"]

  /// fleet-debugger reads 10,000 entries.
  private static let limit = 200_000

  private let text: [UInt8]
  private var position = 0
  private var entries: [Range<Int>] = []

  /// - Parameter text: JSON.
  static func entries(in text: [UInt8]) throws(CloudLogError) -> [Range<Int>] {
    var splitter = CloudLogSplitter(text: text)
    if text.starts(with: [0xef, 0xbb, 0xbf]) { splitter.position = 3 }
    while let byte = splitter.next() {
      switch byte {
      case UInt8(ascii: "["): try splitter.takeArray()
      case UInt8(ascii: "{"): try splitter.takeObject()
      case UInt8(ascii: ","): splitter.position += 1
      default: throw splitter.error("expected JSON objects or an array of them")
      }
    }
    return splitter.entries
  }

  private init(text: [UInt8]) {
    self.text = text
  }

  /// The next byte that is not white space.
  private mutating func next() -> UInt8? {
    while position < text.count {
      let byte = text[position]
      if byte != 0x20, byte != 0x09, byte != 0x0a, byte != 0x0d { return byte }
      position += 1
    }
    return nil
  }

  private mutating func takeArray() throws(CloudLogError) {
    position += 1
    while let byte = next() {
      switch byte {
      case UInt8(ascii: "]"):
        position += 1
        return
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "{"): try append(try takeValue())
      default: throw error("entry \(entries.count + 1) is not an object")
      }
    }
    throw error("the array of entries has no end")
  }

  /// Takes an object that is an entry, or that has a list of entries.
  private mutating func takeObject() throws(CloudLogError) {
    let start = position
    let known = entries.count
    position += 1
    while let byte = next(), byte != UInt8(ascii: "}") {
      if byte == UInt8(ascii: ",") {
        position += 1
        continue
      }
      guard byte == UInt8(ascii: "\"") else { throw error("expected a name in double quotes") }
      let name = try takeValue()
      guard next() == UInt8(ascii: ":") else { throw error("expected a colon") }
      position += 1
      let key = String(decoding: text[name].dropFirst().dropLast().prefix(16), as: UTF8.self)
      if Self.lists.contains(key), next() == UInt8(ascii: "[") {
        try takeArray()
      } else {
        _ = try takeValue()
      }
    }
    guard position < text.count else { throw error("the object has no end") }
    position += 1
    if entries.count == known, position - start > 2 { try append(start..<position) }
  }

  private mutating func append(_ entry: Range<Int>) throws(CloudLogError) {
    guard entries.count < Self.limit else {
      throw error("more than \(Self.limit) entries; export the logs of a shorter time range")
    }
    entries.append(entry)
  }

  /// Takes a string, a number, a word, an array or an object.
  private mutating func takeValue() throws(CloudLogError) -> Range<Int> {
    guard next() != nil else { throw error("the file ends in the middle of an entry") }
    let start = position
    var depth = 0
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
        if depth == 0 {
          guard position > start else { throw error("expected a value") }
          return start..<position
        }
        if text[position] != UInt8(ascii: ",") { depth -= 1 }
        position += 1
      default:
        position += 1
        continue
      }
      if depth == 0 { return start..<position }
    }
    throw error("the file ends in the middle of an entry")
  }

  private mutating func skipString() throws(CloudLogError) {
    position += 1
    while position < text.count, text[position] != UInt8(ascii: "\"") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
    guard position <= text.count else { throw error("a string has no end") }
  }

  private func error(_ reason: String) -> CloudLogError {
    let before = text.prefix(position)
    let line = before.count { $0 == 0x0a } + 1
    let column = before.count - (before.lastIndex(of: 0x0a) ?? -1)
    return CloudLogError("\(line):\(column): \(reason)", isPlaced: true)
  }
}

/// An error in an export of Cloud Logging.
package struct CloudLogError: Error, CustomStringConvertible {
  package let description: String
  /// Whether the description begins with a line and a column.
  package let isPlaced: Bool

  init(_ description: String, isPlaced: Bool = false) {
    self.description = description
    self.isPlaced = isPlaced
  }
}
