import WireSystem

/// The likely protocol of a peer whose first bytes are not a TLS record.
///
/// OpenSSL alone would report "wrong version number".
public enum FirstBytes: Hashable, Sendable {
  /// An HTTP/1 response.
  case http1
  /// An HTML page without HTTP headers: some HTTP/1.1 servers send it for requests that they cannot parse.
  case html
  /// An HTTP/2 server without TLS.
  case http2
  /// An HTTP/2 client without TLS.
  case http2Client
  /// The start of a line of printable ASCII.
  case text(String)
  /// Up to eight bytes of anything else.
  case bytes([UInt8])

  /// `nil` for the start of a TLS record: a content type from 20 to 24, then 3 for the version
  /// (RFC 8446 section 5.1).
  init?(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return nil }
    if (20...24).contains(first), bytes.count < 2 || bytes[1] == 3 { return nil }
    if bytes.starts(with: "HTTP/1.".utf8) {
      self = .http1
    } else if bytes.startsHTMLPage {
      self = .html
    } else if bytes.starts(with: "PRI * HTTP/2".utf8) {
      self = .http2Client
    } else if first == 0, bytes.count < 4 || bytes[3] == 4 || bytes[3] == 7 {
      // A length of 24 bits, then the frame type: SETTINGS or GOAWAY.
      self = .http2
    } else if bytes.prefix(16).allSatisfy({ (0x20...0x7E).contains($0) || $0 == 13 || $0 == 10 }) {
      let line = bytes.prefix(40).prefix { (0x20...0x7E).contains($0) }
      self = .text(String(decoding: line, as: UTF8.self))
    } else {
      self = .bytes(Array(bytes.prefix(8)))
    }
  }
}

extension FirstBytes: CustomStringConvertible {
  public var description: String {
    switch self {
    case .http1: return "an HTTP/1.1 response"
    case .html: return "an HTML page"
    case .http2: return "HTTP/2 without TLS"
    case .http2Client: return "an HTTP/2 client without TLS"
    case .text(let line): return "the text '\(line)'"
    case .bytes(let bytes):
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      return "the bytes \(digits.joined(separator: " "))"
    }
  }
}
