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
    // The JSON before this index is in the output, or left out.
    var start = 0
    // The commas so far in each open array; nil for an object.
    var commas: [Int?] = []
    // The depth of the array whose other elements are left out.
    var cutDepth: Int?
    while let token = scanner.next() {
      switch token {
      case .beginObject: commas.append(nil)
      case .beginArray: commas.append(0)
      case .comma:
        guard let count = commas.last ?? nil else { break }
        commas[commas.count - 1] = count + 1
        if cutDepth == nil, count + 1 >= arrayLimit {
          output += json[start..<scanner.range.lowerBound]
          cutDepth = commas.count
        }
      case .endObject, .endArray:
        if let count = commas.last ?? nil, cutDepth == commas.count {
          output += ",\"… \(count + 1 - arrayLimit) more\"".utf8
          start = scanner.range.lowerBound
          cutDepth = nil
        }
        _ = commas.popLast()
      case .string:
        // Names of members stay whole.
        let text = scanner.range
        guard text.count - 2 > textLimit, cutDepth == nil, scanner.peek() != .colon else { break }
        output += json[start..<text.lowerBound]
        output += shortened(text: json[text])
        start = text.upperBound
      case .colon, .word: break
      }
    }
    return start == 0 && output.isEmpty ? json : output + json[start...]
  }

  /// - Parameter text: a string beyond the limit, with its quotes.
  private static func shortened(text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
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
    return text[..<end] + "… (\(text.count - 2) bytes)\"".utf8
  }
}
