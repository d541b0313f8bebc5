import WireGRPC

/// A key in PEM, whose line ends may have been lost in a variable or a secret manager.
struct PEMText {
  let text: String
  /// Whether line ends were restored.
  let isRepaired: Bool

  init(_ given: String) {
    if given.mentions("\\n") {
      text = given.split(separator: "\\n").map { $0.hasSuffix("\\r") ? $0.dropLast(2) : $0 }
        .joined(separator: "\n")
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
}
