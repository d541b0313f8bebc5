/// Tells from the first bytes of a peer whether it speaks TLS at all, and if not, what.
///
/// OpenSSL would only say "wrong version number".
enum FirstBytes {
  /// What the bytes look like; `nil` for the start of a TLS record: a content type from 20 to 24,
  /// then 3 for the version (RFC 8446 section 5.1).
  static func looksLike(_ bytes: [UInt8]) -> String? {
    guard let first = bytes.first else { return nil }
    if (20...24).contains(first), bytes.count < 2 || bytes[1] == 3 { return nil }
    if bytes.starts(with: "HTTP/1.".utf8) { return "an HTTP/1 answer" }
    if bytes.starts(with: "PRI * HTTP/2".utf8) { return "an HTTP/2 client without TLS" }
    // An HTTP/2 frame: 24 bits of length, then its type; a server begins with SETTINGS, type 4.
    if first == 0, bytes.count < 4 || bytes[3] == 4 { return "HTTP/2 without TLS" }
    if bytes.prefix(16).allSatisfy({ (0x20...0x7E).contains($0) || $0 == 13 || $0 == 10 }) {
      let line = bytes.prefix(40).prefix { (0x20...0x7E).contains($0) }
      return "the text '\(String(decoding: line, as: UTF8.self))'"
    }
    let digits = bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "the bytes \(digits.joined(separator: " "))"
  }
}
