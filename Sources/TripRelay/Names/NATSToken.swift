/// Encodes IDs as tokens of NATS subjects, which are also legal in keys of key-value buckets.
///
/// ASCII letters, digits, `-` and `_` stand for themselves. Each other byte of the UTF-8 form is `=` and two
/// upper-case hexadecimal digits: `t.1` is `t=2E1`.
enum NATSToken {
  static func encode(_ id: String) -> String {
    var token: [UInt8] = []
    for byte in id.utf8 {
      if isPlain(byte) {
        token.append(byte)
      } else {
        token += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: token, as: UTF8.self)
  }

  /// Returns nil for a token that `encode` does not return.
  static func decode(_ token: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(token.utf8)[...]
    while let byte = rest.popFirst() {
      if isPlain(byte) {
        bytes.append(byte)
        continue
      }
      guard byte == UInt8(ascii: "="), let high = rest.popFirst().flatMap(value),
        let low = rest.popFirst().flatMap(value), !isPlain(high << 4 | low)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard !bytes.isEmpty else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
