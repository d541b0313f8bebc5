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
    return String(decoding: value.percentDecoded, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")
}
