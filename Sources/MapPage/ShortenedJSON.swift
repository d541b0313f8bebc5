/// Shortens long texts and arrays in JSON, such as routes, which the map shows anyway.
package struct ShortenedJSON {
  /// Longer arrays are shortened to this number of elements and a text with the number of the others.
  private static let arrayLimit = 20
  /// Longer texts are shortened to this size in bytes and their number of bytes.
  private static let textLimit = 500

  private let bytes: [UInt8]
  private var position = 0
  private var output: [UInt8] = []

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// - Parameter json: valid JSON without white space.
  package static func shortened(_ json: [UInt8]) -> [UInt8] {
    var scanner = ShortenedJSON(json)
    scanner.copyValue()
    return scanner.output
  }

  /// Returns the members of an object, shortened.
  ///
  /// - Parameter json: a valid JSON object without white space.
  package static func members(of json: [UInt8]) -> [(name: [UInt8], value: [UInt8])] {
    var scanner = ShortenedJSON(json)
    var members: [(name: [UInt8], value: [UInt8])] = []
    scanner.position = 1
    while scanner.next != UInt8(ascii: "}"), scanner.next != nil {
      if scanner.next == UInt8(ascii: ",") { scanner.position += 1 }
      let start = scanner.position
      scanner.skipText()
      let name = Array(json[start..<scanner.position])
      scanner.position += 1
      scanner.output = []
      scanner.copyValue()
      members.append((name, scanner.output))
    }
    return members
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func copyValue() {
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["): copyContainer()
    case UInt8(ascii: "\""): copyText()
    default:
      let start = position
      while let byte = next, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"),
        byte != UInt8(ascii: "]")
      {
        position += 1
      }
      output += bytes[start..<position]
    }
  }

  private mutating func copyContainer() {
    let isArray = next == UInt8(ascii: "[")
    copyByte()
    var count = 0
    while let byte = next, byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") {
      let start = output.count
      if byte == UInt8(ascii: ",") { copyByte() }
      if !isArray {
        copyName()
      }
      copyValue()
      count += 1
      if isArray, count > Self.arrayLimit { output.removeSubrange(start...) }
    }
    if isArray, count > Self.arrayLimit {
      output += Array(",\"… \(count - Self.arrayLimit) more\"".utf8)
    }
    copyByte()
  }

  private mutating func copyName() {
    let start = position
    skipText()
    output += bytes[start..<position]
    copyByte()
  }

  private mutating func copyText() {
    let start = position
    skipText()
    let count = position - start - 2
    guard count > Self.textLimit else {
      output += bytes[start..<position]
      return
    }
    // Ends neither inside a character of several bytes nor inside an escape.
    var end = start + 1
    while true {
      var next = end + 1
      if bytes[end] == UInt8(ascii: "\\") { next += bytes[end + 1] == UInt8(ascii: "u") ? 5 : 1 }
      while bytes[next] & 0xc0 == 0x80 { next += 1 }
      guard next <= start + 1 + Self.textLimit else { break }
      end = next
    }
    output += bytes[start..<end]
    output += Array("… (\(count) bytes)\"".utf8)
  }

  private mutating func copyByte() {
    guard let byte = next else { return }
    output.append(byte)
    position += 1
  }

  /// Moves to the end of a text that begins here.
  private mutating func skipText() {
    position += 1
    while let byte = next, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
  }
}
