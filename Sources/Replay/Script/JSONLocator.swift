package import WireProtobuf

/// Finds the position of a value in JSON text that was decoded before.
package enum JSONLocator {
  package enum Step {
    case key(String)
    case index(Int)
    /// The name of a member, instead of its value.
    case name(String)
  }

  /// Returns the position of a value, or of the nearest value around it where a key is written with
  /// escapes.
  package static func find(_ path: [Step], in text: [UInt8]) -> TextPosition {
    var scanner = Scanner(text: text)
    var place = 0
    for step in path {
      guard scanner.enter(step) else { break }
      place = scanner.at
    }
    return TextPosition(after: text.prefix(place))
  }

  private struct Scanner {
    let text: [UInt8]
    var at = 0

    private var byte: UInt8 { at < text.count ? text[at] : 0 }

    /// Moves to a member or an element of the value that begins here.
    mutating func enter(_ step: Step) -> Bool {
      skipSpace()
      at += 1
      skipSpace()
      switch step {
      case .index(let index):
        for _ in 0..<index { skipElement() }
        return byte != UInt8(ascii: "]") && at < text.count
      case .key(let key), .name(let key):
        while byte == UInt8(ascii: "\"") {
          let start = at + 1
          skipString()
          let isFound = text[start..<max(start, at - 1)].elementsEqual(key.utf8)
          if isFound, case .name = step {
            at = start - 1
            return true
          }
          skipSpace()
          at += 1
          skipSpace()
          if isFound { return true }
          skipElement()
        }
        return false
      }
    }

    private mutating func skipSpace() {
      while [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
    }

    private mutating func skipString() {
      at += 1
      while at < text.count, byte != UInt8(ascii: "\"") { at += byte == UInt8(ascii: "\\") ? 2 : 1 }
      at = min(at + 1, text.count)
    }

    /// Skips a value and the comma after it.
    private mutating func skipElement() {
      var depth = 0
      repeat {
        switch byte {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          at += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          at += 1
        default: skipWord()
        }
        skipSpace()
      } while depth > 0 && at < text.count
      if byte == UInt8(ascii: ",") { at += 1 }
      skipSpace()
    }

    /// A number, a literal, or the text between values.
    private mutating func skipWord() {
      at += 1
      while at < text.count, !Self.ends.contains(byte) { at += 1 }
    }

    private static let ends: [UInt8] = Array("\"{}[], \t\r\n".utf8)
  }
}
