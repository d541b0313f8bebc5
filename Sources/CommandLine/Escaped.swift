/// Returns `text` made safe to print on a terminal: control characters (C0, DEL, C1), line and paragraph
/// separators, and characters that reorder text or are invisible become escapes (`\n`, `\u{1b}`). Text
/// from a peer or a file could otherwise move the cursor, hide or forge a line, or look like another name.
package func escaped(_ text: String) -> String {
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

/// The longest argument that error messages show whole, in characters.
package let longestShownArgument = 200

/// Returns an argument for an error message: `''` if it is empty, and only the start of a very long one.
package func shown(_ argument: String) -> String {
  guard !argument.isEmpty else { return "''" }
  let start = argument.prefix(longestShownArgument)
  return escaped(String(start)) + (start.endIndex < argument.endIndex ? "…" : "")
}

/// Returns JSON made safe to print on a terminal and to read line by line: characters that JSON does not
/// require to be escaped (DEL, C1, line separators, bidirectional and invisible ones) are written as
/// `\u009b`, too. The value stays the same.
package func escapedJSON(_ json: String) -> String {
  guard !json.isPrintableASCII else { return json }
  func isRisky(_ scalar: UnicodeScalar) -> Bool { scalar != "\n" && isUnsafe(scalar) }
  guard json.unicodeScalars.contains(where: isRisky) else { return json }
  var result = ""
  for scalar in json.unicodeScalars {
    guard isRisky(scalar) else {
      result.unicodeScalars.append(scalar)
      continue
    }
    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
      let hex = String(unit, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
    }
  }
  return result
}

extension String {
  /// Whether the text has only printable ASCII and line ends, as most text. The loop has no branches,
  /// because it runs over all output.
  fileprivate var isPrintableASCII: Bool {
    let octets = utf8Span.span
    var others: UInt8 = 0
    for index in octets.indices {
      let octet = octets[index]
      others |= (octet &- 0x20 > 0x5e ? 1 : 0) & (octet != UInt8(ascii: "\n") ? 1 : 0)
    }
    return others == 0
  }
}

private func isUnsafe(_ scalar: UnicodeScalar) -> Bool {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
  return switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: true
  // Blank letters and the like, but not variation selectors, which style the character before them.
  default:
    scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
  }
}
