import WireGRPC

/// Masks likely secrets in the output of another program, so that an error can contain the output.
/// It masks too much rather than too little.
package enum OutputRedactor {
  /// How much of the output is kept, in characters.
  private static let longest = 500
  private static let mask = "***"

  /// Text that precedes a secret, in lower case.
  private static let signs =
    ["bearer ", "basic ", "authorization:", "private key", "password:", "passwd", "passphrase:"]
    + ["token", "secret", "password", "key"].flatMap { ["\($0)=", "\($0)\":", "\($0)':"] }

  /// Returns the end of a program's output on one line, with secrets masked.
  package static func masked(_ text: String) -> String {
    var lines: [String] = []
    var isSecret = false
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first else { continue }
      if isSecret || first.hasPrefix("+") {
        // A shell with `set -x` prints the arguments of its commands.
        lines.append(isSecret ? mask : "+ " + mask)
        isSecret = false
      } else {
        let line = words.joined(separator: " ")
        let end = secretStart(in: line)
        let rest = line.utf8.dropFirst(end ?? line.utf8.count)
        isSecret = end != nil && rest.allSatisfy { $0 == UInt8(ascii: " ") }
        let shown = String(decoding: line.utf8.prefix(end ?? line.utf8.count), as: UTF8.self)
        lines.append(maskedWords(shown) + (end == nil || isSecret ? "" : mask))
      }
    }
    let text = lines.joined(separator: " | ")
    return text.count <= longest ? text : "…" + text.suffix(longest)
  }

  /// Returns the offset in bytes at which a secret may start in a line.
  private static func secretStart(in line: String) -> Int? {
    let lower = line.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    return signs.compactMap { sign -> Int? in
      let sign = Array(sign.utf8)
      guard lower.count >= sign.count else { return nil }
      let start = (0...lower.count - sign.count).first { lower[$0...].starts(with: sign) }
      return start.map { $0 + sign.count }
    }.min()
  }

  private static func maskedWords(_ line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let isURL = word.utf8.contains(UInt8(ascii: "@")) && String(word).mentions("://")
      let parts = word.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit }
      return isURL || parts.contains { isRandom(Array($0)) } ? mask : String(word)
    }.joined(separator: " ")
  }

  /// Whether a word looks random: not "central1", but "a1b2c3d4e5" and "wJalrXUtnFEMI". Long base64
  /// or hexadecimal text always contains such a word.
  private static func isRandom(_ word: [UInt8]) -> Bool {
    guard word.count >= 10 else { return false }
    let letters = word.prefix(while: \.isASCIILetter)
    if letters.isEmpty || word.count - letters.count > 4 || word.last?.isASCIILetter == true {
      if letters.count < word.count, word.contains(where: \.isASCIILetter) { return true }
    }
    let changes = zip(letters, letters.dropFirst()).filter { $0 & 0x20 != $1 & 0x20 }.count
    return changes * 3 > letters.count
  }
}
