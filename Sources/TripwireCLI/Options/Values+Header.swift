import Tripwire

extension Parse {
  /// `name: value`; base64 (padded or not) when the name ends in `-bin`.
  static func header(_ text: String) throws(BadValue) -> Metadata {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw BadValue("wants 'name: value'", mayBeShown: false)
    }
    let name = text[..<colon].lowercased()
    let value = trimmed(text[text.index(after: colon)...])
    var metadata = Metadata()
    do throws(MetadataError) {
      if name.hasSuffix("-bin") {
        guard let bytes = base64(value) else {
          throw BadValue("wants base64 after '\(escaped(name)):'", mayBeShown: false)
        }
        try metadata.append(name, bytes)
      } else {
        try metadata.append(name, value)
      }
    } catch {
      throw BadValue(escaped(error.description), mayBeShown: false)
    }
    return metadata
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }

  /// The standard and the URL-safe alphabet, with or without padding; nil for anything else.
  private static func base64(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding == 0 || (padding <= 2 && digits.count % 4 == 0) else { return nil }
    digits.removeLast(padding)
    guard digits.count % 4 != 1 else { return nil }

    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
      guard let value = base64Value(digit) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  private static func base64Value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
