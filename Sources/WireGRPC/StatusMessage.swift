/// The percent coding of `grpc-message` (gRPC PROTOCOL-HTTP2, Status-Message).
package enum StatusMessage {
  /// Everything but printable ASCII, and the percent sign, becomes %XX of its UTF-8.
  package static func encode(_ message: String) -> String {
    message.percentEncoded { (0x20...0x7E).contains($0) && $0 != percent }
  }

  /// Undoes `encode`. Never fails: a percent sign without two hex digits stays as it is, bytes
  /// that are no UTF-8 become U+FFFD.
  package static func decode(_ value: String) -> String {
    guard value.utf8.contains(percent) else { return value }
    let bytes = Array(value.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == percent, index + 2 < bytes.count,
        let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
