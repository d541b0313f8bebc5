extension String {
  /// The lines of a caption, broken at spaces, or within a word that is longer than a line.
  ///
  /// - Parameter limit: the width of a line, in characters of the Latin alphabet.
  func lines(ofWidth limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    for character in self {
      line.append(character)
      width += character.width
      guard width > limit else { continue }
      let end = line.lastIndex(of: " ") ?? line.index(before: line.endIndex)
      guard end > line.startIndex else { continue }
      lines.append(String(line[..<end]))
      line = String(line[end...].drop { $0 == " " })
      width = line.reduce(0) { $0 + $1.width }
    }
    return lines + [line]
  }
}

extension Character {
  /// In characters of the Latin alphabet. Those of East Asia are wider.
  fileprivate var width: Int { unicodeScalars.contains { $0.value >= 0x1100 } ? 2 : 1 }
}
