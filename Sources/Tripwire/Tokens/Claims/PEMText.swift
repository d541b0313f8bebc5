import WireGRPC

/// A key in PEM, whose line ends may have been lost in a variable or a secret manager.
struct PEMText {
  let text: String
  /// Whether line ends were restored.
  let isRepaired: Bool

  init(_ given: String) {
    if given.mentions("\\n") {
      text = Self.unescaped(given)
      isRepaired = true
      return
    }
    // "-----BEGIN", "PRIVATE", "KEY-----", the base64, "-----END", "PRIVATE", "KEY-----"
    let words = given.split { $0 == " " || $0.isNewline }
    guard given.split(whereSeparator: \.isNewline).count < 3,
      let start = words.firstIndex(where: { $0.hasSuffix("KEY-----") }),
      let end = words.lastIndex(of: "-----END"), start < end
    else {
      text = given
      isRepaired = false
      return
    }
    let lines =
      [words[...start].joined(separator: " ")] + words[(start + 1)..<end].map(String.init)
      + [words[end...].joined(separator: " ")]
    text = lines.joined(separator: "\n")
    isRepaired = true
  }

  /// Returns the text with line ends in place of `\n` and `\r\n` of two characters each.
  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      switch (isEscaped, byte) {
      case (true, UInt8(ascii: "n")): bytes.append(0x0a)
      case (true, UInt8(ascii: "r")), (false, UInt8(ascii: "\\")): break
      default: bytes.append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
