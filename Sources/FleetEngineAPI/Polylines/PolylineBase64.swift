import WireGRPC

/// Base64 of RFC 4648 as Fleet Engine writes it in polylines, and as others may.
///
/// Both alphabets are read, `-_` (§5) and `+/` (§4), with the padding there should be or none. Bits
/// behind the last whole byte may be anything, as they may be in Abseil, which S2 is used with; any
/// other deviation is an error, white space too.
enum PolylineBase64 {
  static func decode(_ text: String) throws(PolylineError) -> [UInt8] {
    let characters = Array(text.utf8)
    let end = characters.firstIndex(of: UInt8(ascii: "=")) ?? characters.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end / 4 * 3 + 2)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for offset in 0..<end {
      let value = values[Int(characters[offset])]
      guard value < 64 else { throw PolylineError(.notBase64, .character(offset)) }
      group = group << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> bits))
      }
    }
    if end % 4 == 1 { throw PolylineError(.incompleteBase64, .character(end - 1)) }
    try checkPadding(characters[end...])
    return bytes
  }

  /// - Parameter padding: The text from the first `=` on, its indices those in the text.
  private static func checkPadding(_ padding: ArraySlice<UInt8>) throws(PolylineError) {
    if padding.isEmpty { return }
    let end = (padding.startIndex + 3) / 4 * 4
    for offset in padding.indices where offset >= end || padding[offset] != UInt8(ascii: "=") {
      throw PolylineError(.wrongPadding, .character(offset))
    }
    if padding.endIndex < end { throw PolylineError(.wrongPadding, .character(padding.endIndex)) }
  }

  /// What each byte stands for as a digit; 255 when it is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    for (value, digit) in zip(UInt8(0)..., digits.utf8) { values[Int(digit)] = value }
    for digit in "+-".utf8 { values[Int(digit)] = 62 }
    for digit in "/_".utf8 { values[Int(digit)] = 63 }
    return values
  }()

  /// In the alphabet `-_`, with padding.
  static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    for digit in Base64.encode(bytes, padded: true) {
      switch digit {
      case "+": text.append("-")
      case "/": text.append("_")
      default: text.append(digit)
      }
    }
    return text
  }
}
