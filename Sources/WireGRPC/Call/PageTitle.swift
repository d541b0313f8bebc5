/// Finds the title in the head of an HTML page.
struct PageTitle {
  private var bytes: [UInt8] = []
  /// The index after the last `<`.
  private var tag: Int?
  /// The index after `<title>`.
  private var start: Int?

  /// The title on one line, with at most 100 characters; nil if there is none yet.
  private(set) var text: String?
  private(set) var isOver = false

  mutating func receive(_ byte: UInt8) {
    guard !isOver else { return }
    bytes.append(byte)
    switch byte {
    case UInt8(ascii: "<"):
      tag = bytes.count
    case UInt8(ascii: ">"):
      guard let tag else { return }
      self.tag = nil
      endTag(at: tag)
    default: break
    }
  }

  private mutating func endTag(at tag: Int) {
    let name = bytes[tag...].dropLast().prefix { !Self.isSpace($0) }
    switch String(decoding: name, as: UTF8.self).lowercased() {
    case "title":
      start = start ?? bytes.count
    case "/title":
      if let start { text = Self.line(bytes[start..<tag - 1]) }
      isOver = true
    case "/head", "body":
      isOver = true
    default: break
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  private static func line(_ bytes: ArraySlice<UInt8>) -> String? {
    let words = String(decoding: bytes, as: UTF8.self).shortened(to: 100)
      .split(separator: " ").joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}
