import CNghttp2
import WireSystem

/// An error of a session or of one of its streams, and the side that caused it.
public struct HTTP2Error: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    /// A value of `HTTP2Configuration` is out of its range.
    case configuration
    /// The peer's first bytes are not HTTP/2.
    case notHTTP2(PeerProtocol)
    /// The peer broke RFC 9113; it was sent `code`.
    case protocolViolation
    /// The peer sends many frames that make no progress.
    case flood
    /// A header list exceeds a limit: this side's if it was received, the peer's if it is to be sent.
    case headerListTooLarge
    /// No new stream: a GOAWAY was received or sent, or the session failed.
    case goingAway
    /// No new stream now: the peer's limit is reached.
    case streamLimit
    /// No new stream ever: the ids of this connection are used up.
    case streamIDsExhausted
    /// nghttp2 did not send a header block; no part of it was sent.
    case notSent
    /// nghttp2 failed for another reason, such as a lack of memory.
    case library
  }

  /// The protocol that the peer's first bytes look like, if it is not HTTP/2.
  public enum PeerProtocol: Sendable, Hashable {
    case http1
    /// An HTML page without HTTP headers: some HTTP/1.1 servers send it for requests that they cannot parse.
    case html
    case tls
    case unknown

    init(firstBytes: [UInt8]) {
      if firstBytes.starts(with: "HTTP/1".utf8) {
        self = .http1
      } else if firstBytes.startsHTMLPage {
        self = .html
      } else if firstBytes.count > 1, (20...23).contains(firstBytes[0]), firstBytes[1] == 3 {
        self = .tls
      } else {
        self = .unknown
      }
    }
  }

  public let kind: Kind
  /// A sentence with the numbers.
  public let detail: String
  /// The code that the peer was or will be sent in GOAWAY or RST_STREAM.
  public let code: HTTP2ErrorCode?
  /// nghttp2's own number (`nghttp2_error`), such as -904.
  public let libraryCode: Int32?

  init(
    _ kind: Kind, _ detail: String, code: HTTP2ErrorCode? = nil, libraryCode: Int32? = nil
  ) {
    self.kind = kind
    self.detail = detail
    self.code = code
    self.libraryCode = libraryCode
  }

  /// An error that nghttp2 returned during `action`.
  static func library(_ code: Int32, _ action: String, kind: Kind = .library) -> Self {
    Self(kind, action, libraryCode: code)
  }

  public var description: String {
    var text = detail
    if let code { text += " (\(code))" }
    // The detail of a violation has the meaning of its number already.
    if let libraryCode, kind != .protocolViolation {
      let meaning = unsafe nghttp2_strerror(libraryCode).map { unsafe String(cString: $0) } ?? ""
      text += ": \(libraryErrorName(libraryCode)) (\(libraryCode)), \(meaning)"
    }
    return text
  }
}

/// Returns the enumerator of `nghttp2_error` for a number that a session can meet.
private func libraryErrorName(_ code: Int32) -> String {
  let names: [Int32: String] = [
    -501: "INVALID_ARGUMENT", -505: "PROTO", -509: "STREAM_ID_NOT_AVAILABLE",
    -510: "STREAM_CLOSED", -511: "STREAM_CLOSING", -512: "STREAM_SHUT_WR",
    -514: "INVALID_STREAM_STATE", -516: "START_STREAM_NOT_ALLOWED", -522: "FRAME_SIZE_ERROR",
    -523: "HEADER_COMP", -524: "FLOW_CONTROL", -529: "DATA_EXIST", -530: "SESSION_CLOSING",
    -531: "HTTP_HEADER", -532: "HTTP_MESSAGING", -533: "REFUSED_STREAM", -534: "INTERNAL",
    -536: "SETTINGS_EXPECTED", -537: "TOO_MANY_SETTINGS", -901: "NOMEM",
    -902: "CALLBACK_FAILURE", -903: "BAD_CLIENT_MAGIC", -904: "FLOODED",
    -905: "TOO_MANY_CONTINUATIONS",
  ]
  return "NGHTTP2_ERR_" + (names[code] ?? "UNKNOWN")
}

extension HTTP2Error {
  /// The error for a peer whose first bytes are not the preface or SETTINGS.
  static func notHTTP2(_ firstBytes: [UInt8], libraryCode: Int32? = nil) -> Self {
    let sender = PeerProtocol(firstBytes: firstBytes)
    let guess =
      switch sender {
      case .http1: "it sent \(String(decoding: firstBytes.prefix(8), as: UTF8.self))"
      case .html: "it sent an HTML page"
      case .tls: "it uses TLS"
      case .unknown: "its first bytes are " + shown(firstBytes)
      }
    return Self(
      .notHTTP2(sender), "the peer does not speak HTTP/2: " + guess, libraryCode: libraryCode)
  }

  /// The error for a peer that begins with GOAWAY. `firstBytes` has its code and the first 15 octets of
  /// its reason.
  static func goAwayFirst(_ firstBytes: [UInt8]) -> Self {
    let code = firstBytes[13..<17].reduce(0) { $0 << 8 | UInt32($1) }
    let length = Int(firstBytes[1]) << 8 | Int(firstBytes[2])
    let debug = firstBytes[17...].prefix(max(0, length - 8)).map {
      $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: "?") : $0
    }
    let reason = debug.isEmpty ? "" : " \"\(String(decoding: debug, as: UTF8.self))\""
    return Self(
      .protocolViolation,
      "GOAWAY before SETTINGS: \(HTTP2ErrorCode(rawValue: code))\(reason)")
  }

  /// Returns the error with the code that the peer was sent.
  func with(_ code: HTTP2ErrorCode) -> Self {
    Self(kind, detail, code: code, libraryCode: libraryCode)
  }
}

/// Returns text in quotes up to the end of its line, and other bytes in hexadecimal.
private func shown(_ bytes: [UInt8]) -> String {
  let line = bytes.prefix { (0x20...0x7E).contains($0) }
  let end = bytes.dropFirst(line.count).first
  guard line.count >= 4, end == nil || end == 0x0D || end == 0x0A else {
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
  return "\"\(String(decoding: line, as: UTF8.self))\""
}
