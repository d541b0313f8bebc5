import CommandLine

/// Returns the number of terminal columns that the text takes: two for each wide character of East Asia
/// and each emoji, none for a combining mark. In doubt the number is too high.
package func columns(of text: String) -> Int {
  text.utf8Span.isKnownASCII
    ? text.utf8.count : text.unicodeScalars.reduce(0) { $0 + $1.columns }
}

/// Returns the text, cut at its end to `limit` columns; "…" stands for the omitted end.
package func cut(_ text: String, to limit: Int) -> String {
  // No character takes more columns than bytes.
  guard text.utf8.count > limit else { return text }
  let text = withFewMarks(text)
  guard columns(of: text) > limit else { return text }
  guard limit > 0 else { return "" }
  return prefix(of: text.unicodeScalars, columns: limit - 1) + "…"
}

/// Returns the text, cut in its middle, because the start and the end identify a name.
func cutInside(_ text: String, to limit: Int) -> String {
  guard columns(of: text) > limit else { return text }
  guard limit > 2 else { return cut(text, to: limit) }
  let end = (limit - 1) / 2
  let tail = prefix(of: text.unicodeScalars.reversed(), columns: end)
  return prefix(of: text.unicodeScalars, columns: limit - 1 - end) + "…"
    + String(String.UnicodeScalarView(tail.unicodeScalars.reversed()))
}

/// Returns the text, followed by blanks up to `width` columns.
package func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - columns(of: text)))
}

private func prefix(of scalars: some Sequence<Unicode.Scalar>, columns: Int) -> String {
  var result = String.UnicodeScalarView()
  var left = columns
  for scalar in scalars {
    left -= scalar.columns
    guard left >= 0 else { break }
    result.append(scalar)
  }
  return String(result)
}

/// Returns the text with at most four marks on a character: thousands would be drawn for one column.
private func withFewMarks(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  var marks = 0
  for scalar in text.unicodeScalars {
    marks = scalar.columns == 0 ? marks + 1 : 0
    if marks <= 4 { result.append(scalar) }
  }
  return String(result)
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    switch value {
    case ..<0x300: return 1
    // Vowels and final consonants of Hangul, which join the consonant before them.
    case 0x1160...0x11ff: return 0
    // Turns the character before it into an emoji, which is wide.
    case 0xfe0f: return 1
    // Unicode Standard Annex 11: the blocks in which nearly all characters are wide or fullwidth.
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x3098, 0x309b...0xa4cf, 0xa960...0xa97f,
      0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff00...0xff60,
      0xffe0...0xffe6, 0x16fe0...0x18dff, 0x1aff0...0x1b2ff, 0x1f300...0x1f64f,
      0x1f680...0x1f6ff, 0x1f900...0x1faff, 0x20000...0x3fffd:
      return 2
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}

/// Returns text of somebody else, escaped and cut for one line.
package func shortened(_ text: String, to limit: Int = 60) -> String {
  // Each column shows at least one character of the text.
  let start =
    text.utf8.count > 4 * limit ? String(text.unicodeScalars.prefix(4 * limit)) : text
  return cut(escaped(start), to: limit)
}
