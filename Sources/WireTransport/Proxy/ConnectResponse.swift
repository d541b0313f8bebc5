import WireGRPC

/// Parses a proxy's response to CONNECT (RFC 9110 §9.3.6, RFC 9112 §4), without sockets and clocks.
struct ConnectResponse: ~Copyable {
  enum Action: Equatable {
    case wait
    /// The tunnel is open; the bytes after the response are the server's.
    case open(surplus: [UInt8])
    /// A refusal with an incomplete body: wait a moment for the rest, then call `end`.
    case waitForBody
    case fail(ProxyError)
  }

  private enum State {
    /// In the head of a response: the bytes so far.
    case head([UInt8])
    case body(Refusal)
    case over
  }

  private struct Refusal {
    var status: Int
    var reason: String
    var isChunked: Bool
    /// The length of the body that is worth waiting for.
    var wanted: Int
    var body: [UInt8] = []
  }

  /// The longest head in bytes, with interim responses.
  static let longestHead = 16 * 1024
  /// The length of a refusal's body that is kept, in bytes.
  private static let snippetSize = 256

  private var state = State.head([])
  private var headBytes = 0
  private let hadCredentials: Bool

  init(hadCredentials: Bool) {
    self.hadCredentials = hadCredentials
  }

  /// Reads the next bytes; empty ones change nothing.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> Action {
    var rest = bytes
    while true {
      switch state {
      case .over:
        return .wait
      case .body(var refusal):
        refusal.body += rest.prefix(refusal.wanted - refusal.body.count)
        state = .body(refusal)
        return refusal.body.count == refusal.wanted ? fail(error(refusal)) : .waitForBody
      case .head(var head):
        // Moved, so that it has one owner while it grows.
        state = .over
        guard let action = takeHead(&head, &rest) else { continue }
        if case .wait = action { state = .head(head) }
        return action
      }
    }
  }

  /// Returns why there is no tunnel, once the connection or the wait for the body has ended.
  mutating func end() -> ProxyError {
    defer { state = .over }
    guard case .body(let refusal) = state else { return .closed }
    return error(refusal)
  }

  /// Moves bytes from `rest` to `head`. Returns nil if the state has changed and `rest` is not empty.
  private mutating func takeHead(
    _ head: inout [UInt8], _ rest: inout ArraySlice<UInt8>
  ) -> Action? {
    while let byte = rest.popFirst() {
      head.append(byte)
      headBytes += 1
      let begin = "HTTP/1."
      guard head.count > begin.utf8.count || begin.utf8.starts(with: head) else {
        return fail(.malformed("it is not HTTP/1: it starts with \(Self.shown(head, rest))"))
      }
      guard headBytes <= Self.longestHead else {
        return fail(.malformed("its headers are longer than \(Self.longestHead) bytes"))
      }
      guard byte == UInt8(ascii: "\n"), Self.isComplete(head) else { continue }
      return answered(Self.lines(head), rest)
    }
    return .wait
  }

  /// Handles a complete head. Returns nil for an interim response, or if the body follows.
  private mutating func answered(_ lines: [String], _ rest: ArraySlice<UInt8>) -> Action? {
    let line = lines.first ?? ""
    guard let status = Self.status(of: line) else {
      return fail(.malformed("it starts with \"\(line.shortened(to: 64))\""))
    }
    switch status {
    case 101:
      return fail(.malformed("it switches to another protocol"))
    case 100..<200:
      state = .head([])
    case 200..<300:
      // Such a response has no body, regardless of its headers (RFC 9110 §9.3.6).
      return .open(surplus: Array(rest))
    default:
      let isChunked = Self.field("transfer-encoding", in: lines) != nil
      let length = Self.field("content-length", in: lines).flatMap { Int($0) }
      state = .body(
        Refusal(
          status: status, reason: String(line.dropFirst("HTTP/1.1 407".count).dropFirst()),
          isChunked: isChunked,
          wanted: isChunked ? Self.snippetSize : min(max(length ?? .max, 0), Self.snippetSize)))
    }
    return nil
  }

  private mutating func fail(_ error: ProxyError) -> Action {
    state = .over
    return .fail(error)
  }

  private func error(_ refusal: Refusal) -> ProxyError {
    var body = refusal.body[...]
    if refusal.isChunked { body = body.drop { $0 != UInt8(ascii: "\n") }.dropFirst() }
    let text = String(decoding: body, as: UTF8.self).shortened(to: Self.snippetSize)
    let words = text.split(separator: " ").joined(separator: " ")
    return refusal.status == 407 || refusal.status == 401
      ? .authenticationRequired(status: refusal.status, hadSome: hadCredentials, body: words)
      : .refused(
        status: refusal.status, reason: refusal.reason.shortened(to: 64), body: words)
  }
}

// MARK: HTTP/1

extension ConnectResponse {
  /// Whether the head ends with an empty line. A lone LF ends a line, too (RFC 9112 §2.2).
  private static func isComplete(_ head: [UInt8]) -> Bool {
    head.suffix(3).elementsEqual("\n\r\n".utf8) || head.suffix(2).elementsEqual("\n\n".utf8)
  }

  private static func lines(_ head: [UInt8]) -> [String] {
    head.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }

  /// Parses "HTTP/1.1 200 OK"; the reason phrase may be missing.
  private static func status(of line: String) -> Int? {
    let text = Array(line.utf8)
    guard text.count >= 12, text.starts(with: "HTTP/1.".utf8), text[8] == UInt8(ascii: " "),
      text.count == 12 || text[12] == UInt8(ascii: " "),
      text[9..<12].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(line.dropFirst(9).prefix(3)).flatMap { $0 >= 100 ? $0 : nil }
  }

  private static func field(_ name: String, in lines: [String]) -> String? {
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
        continue
      }
      return line[line.index(after: colon)...].split(separator: " ").first.map(String.init)
    }
    return nil
  }

  /// Describes the first bytes of a protocol other than HTTP.
  private static func shown(_ head: [UInt8], _ rest: ArraySlice<UInt8>) -> String {
    let bytes = head + rest.prefix(16)
    if bytes.first == 0x15 || bytes.first == 0x16 { return "a TLS record" }
    // The type of the first frame (RFC 9113 §3.4, §4.1).
    if bytes.count > 3, bytes[3] == 4, bytes[0] == 0 { return "an HTTP/2 SETTINGS frame" }
    guard bytes.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D }) else {
      return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
    return "\"\(String(decoding: bytes, as: UTF8.self).shortened(to: 24))\""
  }
}
