import WireGRPC

/// A key in PEM, whose line ends may have been lost in a variable or a store of secrets.
struct PEMText {
  let text: String
  /// What was corrected; nil if nothing.
  let repair: String?

  init(_ given: String) {
    if given.mentions("\\n") {
      text = given.split(separator: "\\n").joined(separator: "\n")
      repair = "its line ends were \\n of two characters"
      return
    }
    // "-----BEGIN", "PRIVATE", "KEY-----", the base64, "-----END", "PRIVATE", "KEY-----"
    let words = given.split { $0 == " " || $0.isNewline }
    guard given.split(whereSeparator: \.isNewline).count < 3,
      let start = words.firstIndex(where: { $0.hasSuffix("KEY-----") }),
      let end = words.lastIndex(of: "-----END"), start < end
    else {
      text = given
      repair = nil
      return
    }
    let lines =
      [words[...start].joined(separator: " ")] + words[(start + 1)..<end].map(String.init)
      + [words[end...].joined(separator: " ")]
    text = lines.joined(separator: "\n")
    repair = "its line ends were spaces"
  }
}
