import WireSystem

/// An HTTP/1.1 server on loopback that sends scripted responses, for one request per connection.
public final class ScriptedHTTPServer: Sendable {
  /// Returns the response to a request with these headers; nil sends none.
  public typealias Script = @Sendable (_ head: String) -> String?

  private let listener: Int32
  private let script: Script
  private let received = Locked<[String]>([])
  public let port: UInt16

  /// The headers of the received requests.
  public var requests: [String] { received.withLock { $0 } }

  public init(_ script: @escaping Script) throws {
    self.script = script
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let file = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(file, address, size) == 0 && listen(file, 16) == 0
          && getsockname(file, address, &size) == 0
      }
    }
    guard isListening else { throw NoServer() }
    port = UInt16(bigEndian: address.sin_port)
    try Thread(for: "an HTTP server") { self.serve() }.detach()
  }

  struct NoServer: Error {}

  public func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func serve() {
    // Connections without a response stay open until the server stops.
    var unanswered: [Int32] = []
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      var head: [UInt8] = []
      var byte: UInt8 = 0
      while !head.ends(with: "\r\n\r\n"), read(connection, &byte, 1) == 1 { head.append(byte) }
      let text = String(decoding: head, as: UTF8.self)
      // A connection that is closed with unread bytes may lose the response.
      for _ in 0..<Self.bodyLength(text) { _ = read(connection, &byte, 1) }
      received.withLock { $0.append(text) }
      guard let response = script(text) else {
        unanswered.append(connection)
        continue
      }
      let bytes = Array(response.utf8)
      _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      close(connection)
    }
    for connection in unanswered { close(connection) }
    close(listener)
  }

  private static func bodyLength(_ head: String) -> Int {
    let field = "content-length: "
    let line = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix(field) }
    return line.flatMap { Int($0.dropFirst(field.count)) } ?? 0
  }

  /// Returns a response with a body.
  public static func response(_ status: String, _ body: String = "", headers: String = "") -> String
  {
    "HTTP/1.1 \(status)\r\ncontent-length: \(body.utf8.count)\r\nconnection: close\r\n\(headers)\r\n"
      + body
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
