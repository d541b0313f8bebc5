import CNghttp2

/// What went wrong in a session or on one of its streams, and who is to blame.
public struct HTTP2Error: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    /// A value of `HTTP2Configuration` is out of its range.
    case configuration
    /// The peer's first bytes are not HTTP/2.
    case notHTTP2(PeerProtocol)
    /// The peer broke RFC 9113: `code` is what it was told.
    case protocolViolation
    /// The peer sends many frames that lead nowhere.
    case flood
    /// A header list is above a limit: ours when received, the peer's when to be sent.
    case headerListTooLarge
    /// No new stream: a GOAWAY was received or sent, or the session failed.
    case goingAway
    /// No new stream now: as many are open as the peer allows.
    case streamLimit
    /// No new stream ever: the ids of this connection are used up.
    case streamIDsExhausted
    /// nghttp2 would not send a header block; nothing of it left.
    case notSent
    /// nghttp2 failed for a reason of its own, such as want of memory.
    case library
  }

  /// What the first bytes look like when they are not HTTP/2.
  public enum PeerProtocol: Sendable, Hashable {
    case http1
    case tls
    case unknown
  }

  public let kind: Kind
  /// A sentence for people: what happened, with the numbers.
  public let detail: String
  /// The code the peer was or will be told in GOAWAY or RST_STREAM.
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

  /// An error that nghttp2 returned while we did `action`.
  static func library(_ code: Int32, _ action: String, kind: Kind = .library) -> Self {
    Self(kind, action, libraryCode: code)
  }

  public var description: String {
    var text = detail
    if let code { text += " (\(code))" }
    if let libraryCode {
      let meaning = unsafe nghttp2_strerror(libraryCode).map { unsafe String(cString: $0) } ?? ""
      text += ": \(libraryErrorName(libraryCode)) (\(libraryCode)), \(meaning)"
    }
    return text
  }
}

/// The enumerator of `nghttp2_error` behind a number; those a session can meet.
private func libraryErrorName(_ code: Int32) -> String {
  let names: [(nghttp2_error, String)] = [
    (NGHTTP2_ERR_INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (NGHTTP2_ERR_PROTO, "PROTO"),
    (NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE, "STREAM_ID_NOT_AVAILABLE"),
    (NGHTTP2_ERR_STREAM_CLOSED, "STREAM_CLOSED"),
    (NGHTTP2_ERR_STREAM_CLOSING, "STREAM_CLOSING"),
    (NGHTTP2_ERR_STREAM_SHUT_WR, "STREAM_SHUT_WR"),
    (NGHTTP2_ERR_START_STREAM_NOT_ALLOWED, "START_STREAM_NOT_ALLOWED"),
    (NGHTTP2_ERR_FRAME_SIZE_ERROR, "FRAME_SIZE_ERROR"),
    (NGHTTP2_ERR_HEADER_COMP, "HEADER_COMP"),
    (NGHTTP2_ERR_FLOW_CONTROL, "FLOW_CONTROL"),
    (NGHTTP2_ERR_SESSION_CLOSING, "SESSION_CLOSING"),
    (NGHTTP2_ERR_HTTP_HEADER, "HTTP_HEADER"),
    (NGHTTP2_ERR_HTTP_MESSAGING, "HTTP_MESSAGING"),
    (NGHTTP2_ERR_REFUSED_STREAM, "REFUSED_STREAM"),
    (NGHTTP2_ERR_INTERNAL, "INTERNAL"),
    (NGHTTP2_ERR_SETTINGS_EXPECTED, "SETTINGS_EXPECTED"),
    (NGHTTP2_ERR_TOO_MANY_SETTINGS, "TOO_MANY_SETTINGS"),
    (NGHTTP2_ERR_NOMEM, "NOMEM"),
    (NGHTTP2_ERR_CALLBACK_FAILURE, "CALLBACK_FAILURE"),
    (NGHTTP2_ERR_BAD_CLIENT_MAGIC, "BAD_CLIENT_MAGIC"),
    (NGHTTP2_ERR_FLOODED, "FLOODED"),
  ]
  let known = names.first { $0.0.rawValue == code }
  return "NGHTTP2_ERR_" + (known?.1 ?? "?")
}

extension HTTP2Error {
  /// The error for a peer whose first bytes are not the preface or SETTINGS.
  static func notHTTP2(_ firstBytes: [UInt8], libraryCode: Int32) -> Self {
    let sender: PeerProtocol
    let guess: String
    if firstBytes.starts(with: "HTTP/1.".utf8) {
      (sender, guess) = (.http1, "it answers in HTTP/1.x")
    } else if firstBytes.count > 1, (20...23).contains(firstBytes[0]), firstBytes[1] == 3 {
      (sender, guess) = (.tls, "it speaks TLS")
    } else {
      let hex = firstBytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      (sender, guess) = (.unknown, "it begins with " + hex.joined(separator: " "))
    }
    let detail = "the peer does not speak HTTP/2: " + guess
    return Self(.notHTTP2(sender), detail, libraryCode: libraryCode)
  }
}
