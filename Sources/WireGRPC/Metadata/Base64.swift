import WireProtobuf

/// Base64 of RFC 4648 §4, used by `-bin` metadata and HTTP credentials.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes, by default without padding, as gRPC recommends to senders.
  package static func encode(_ bytes: [UInt8], padded: Bool = false) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / 3 * 4 + 3)
    var start = 0
    while start < bytes.count {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
      }
      for digit in 0...count {
        result.append(alphabet[Int(group >> (18 - 6 * UInt32(digit)) & 63)])
      }
      start += 3
    }
    if padded { result += repeatElement(UInt8(ascii: "="), count: (3 - bytes.count % 3) % 3) }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes text with or without padding. Returns nil if a character or the length is invalid.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var digits = Array(text.utf8)
    if digits.count % 4 == 0 {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(digits.count * 3 / 4)
    var group: UInt32 = 0
    var bits = 0
    for digit in digits {
      guard let value = value(digit) else { return nil }
      group = group << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    return result
  }

  /// The alphabet of section 5 is not accepted.
  private static func value(_ digit: UInt8) -> UInt32? {
    digit == UInt8(ascii: "-") || digit == UInt8(ascii: "_")
      ? nil : digit.base64Value.map(UInt32.init)
  }
}
