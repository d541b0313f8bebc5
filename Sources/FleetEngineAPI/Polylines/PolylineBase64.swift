import WireGRPC
import WireProtobuf

/// Base64 (RFC 4648) as Fleet Engine and others write it in polylines.
///
/// Both alphabets are accepted, `-_` (section 5) and `+/` (section 4), with correct padding or
/// none. As in Abseil, which S2 uses, the bits after the last whole byte may be anything. Any other
/// deviation is an error, including white space.
enum PolylineBase64 {
  static func decode(_ text: String) throws(PolylineError) -> [UInt8] {
    let characters = Array(text.utf8)
    let end = characters.firstIndex(of: UInt8(ascii: "=")) ?? characters.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end / 4 * 3 + 2)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for offset in 0..<end {
      guard let value = characters[offset].base64Value else {
        throw PolylineError(.notBase64, .character(offset))
      }
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

  /// - Parameter padding: the text from the first `=` on, with the indices of the text.
  private static func checkPadding(_ padding: ArraySlice<UInt8>) throws(PolylineError) {
    if padding.isEmpty { return }
    let end = (padding.startIndex + 3) / 4 * 4
    for offset in padding.indices where offset >= end || padding[offset] != UInt8(ascii: "=") {
      throw PolylineError(.wrongPadding, .character(offset))
    }
    if padding.endIndex < end { throw PolylineError(.wrongPadding, .character(padding.endIndex)) }
  }

  /// Encodes in the alphabet `-_`, with padding.
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
