/// The percent-encoding of `grpc-message` (gRPC PROTOCOL-HTTP2, Status-Message).
package enum StatusMessage {
  /// Encodes every UTF-8 byte outside printable ASCII, and the percent sign, as %XX. Leading and
  /// trailing spaces are encoded too, because HTTP/2 forbids them in field values (RFC 9113
  /// §8.2.1).
  package static func encode(_ message: String) -> String {
    let text = message.percentEncoded { (0x20...0x7E).contains($0) && $0 != percent }
    guard text.first == " " || text.last == " " else { return text }
    let end = text.lastIndex { $0 != " " } ?? text.startIndex
    let start = text.firstIndex { $0 != " " } ?? text.endIndex
    return text.indices.map { start <= $0 && $0 <= end ? String(text[$0]) : "%20" }.joined()
  }

  /// Reverses `encode`. Never fails: a percent sign without two hex digits stays as it is, and
  /// invalid UTF-8 becomes U+FFFD.
  package static func decode(_ value: String) -> String {
    guard value.utf8.contains(percent) else { return value }
    return String(decoding: value.percentDecoded, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")
}
