import WireProtobuf

/// Shortens long texts and arrays in JSON, such as routes, which the map shows anyway.
package enum ShortenedJSON {
  /// Longer arrays are shortened to this number of elements and a text with the number of the others.
  private static let arrayLimit = 20
  /// Longer texts are shortened to this size in bytes and their number of bytes.
  private static let textLimit = 500

  /// - Parameter json: valid JSON without white space.
  package static func shortened(_ json: [UInt8]) -> [UInt8] {
    var scanner = JSONScanner(json)
    var output: [UInt8] = []
    // The commas so far in each open array; nil for an object.
    var commas: [Int?] = []
    // The depth of the array whose other elements are left out.
    var cutDepth: Int?
    while let token = scanner.next() {
      let text = json[scanner.range]
      switch token {
      case .beginObject: commas.append(nil)
      case .beginArray: commas.append(0)
      case .comma:
        guard let count = commas.last ?? nil else { break }
        commas[commas.count - 1] = count + 1
        if count + 1 >= arrayLimit { cutDepth = cutDepth ?? commas.count }
      case .endObject, .endArray:
        if let count = commas.last ?? nil, cutDepth == commas.count {
          output += ",\"… \(count + 1 - arrayLimit) more\"".utf8
          cutDepth = nil
        }
        _ = commas.popLast()
      case .colon, .string, .word: break
      }
      guard cutDepth == nil else { continue }
      // Names of members stay whole.
      let isText = token == .string && scanner.peek() != .colon
      output += isText ? shortened(text: text) : text
    }
    return output
  }

  /// Returns the members of an object, shortened.
  ///
  /// - Parameter json: a valid JSON object without white space, with names that need no escapes.
  package static func members(of json: [UInt8]) -> [(name: String, value: [UInt8])] {
    var scanner = JSONScanner(json)
    var members: [(name: String, value: [UInt8])] = []
    _ = scanner.next()
    while scanner.next() == .string {
      let name = String(decoding: json[scanner.range].dropFirst().dropLast(), as: UTF8.self)
      _ = scanner.next()
      guard let value = scanner.skipValue() else { break }
      members.append((name, shortened(Array(json[value]))))
      _ = scanner.next()
    }
    return members
  }

  /// - Parameter text: a string with its quotes.
  private static func shortened(text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let count = text.count - 2
    guard count > textLimit else { return text }
    let limit = text.startIndex + 1 + textLimit
    // Ends neither inside a character of several bytes nor inside an escape.
    var end = text.startIndex + 1
    while true {
      var next = end + 1
      if text[end] == UInt8(ascii: "\\") { next += text[end + 1] == UInt8(ascii: "u") ? 5 : 1 }
      while text[next] & 0xc0 == 0x80 { next += 1 }
      guard next <= limit else { break }
      end = next
    }
    return text[..<end] + "… (\(count) bytes)\"".utf8
  }
}
