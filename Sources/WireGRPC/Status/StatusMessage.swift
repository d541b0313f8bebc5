/// The percent coding of `grpc-message` (gRPC PROTOCOL-HTTP2, Status-Message).
package enum StatusMessage {
  /// Everything but printable ASCII, and the percent sign, becomes %XX of its UTF-8; so do spaces at an
  /// end, which no field of HTTP/2 may have there (RFC 9113 §8.2.1).
  package static func encode(_ message: String) -> String {
    let text = message.percentEncoded { (0x20...0x7E).contains($0) && $0 != percent }
    guard text.first == " " || text.last == " " else { return text }
    let end = text.lastIndex { $0 != " " } ?? text.startIndex
    let start = text.firstIndex { $0 != " " } ?? text.endIndex
    return text.indices.map { start <= $0 && $0 <= end ? String(text[$0]) : "%20" }.joined()
  }

  /// Undoes `encode`. Never fails: a percent sign without two hex digits stays as it is, bytes
  /// that are no UTF-8 become U+FFFD.
  package static func decode(_ value: String) -> String {
    guard value.utf8.contains(percent) else { return value }
    return String(decoding: value.percentDecoded, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")
}
