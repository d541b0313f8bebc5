/// `text` made safe to print on a terminal: control characters (C0, DEL, C1), line and paragraph
/// separators and the marks that reorder text are written as escapes (`\n`, `\u{1b}`). What comes
/// from a peer or a file could otherwise move the cursor, hide or forge a line.
func escaped(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case let scalar where isUnsafe(scalar):
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// JSON made safe to print on a terminal: what JSON itself leaves as it is (DEL, C1 and the marks
/// that reorder text) is written as `\u009b`, too. The value stays the same.
func escapedJSON(_ json: String) -> String {
  func isRisky(_ scalar: UnicodeScalar) -> Bool { scalar != "\n" && isUnsafe(scalar) }
  guard json.unicodeScalars.contains(where: isRisky) else { return json }
  var result = ""
  for scalar in json.unicodeScalars {
    guard isRisky(scalar) else {
      result.unicodeScalars.append(scalar)
      continue
    }
    let hex = String(scalar.value, radix: 16)
    result += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
  }
  return result
}

private func isUnsafe(_ scalar: UnicodeScalar) -> Bool {
  switch scalar.value {
  case ..<0x20, 0x7f...0x9f: true
  case 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
  default: false
  }
}
