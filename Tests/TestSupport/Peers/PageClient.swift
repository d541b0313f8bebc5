import WireIO

/// A client of a map server that sends requests as written, and reads responses and events. It blocks
/// its thread; see ``OwnThread`` and ``onThread(_:)``.
public final class PageClient {
  public struct Malformed: Error {}

  public struct Response: Sendable {
    public var status = 0
    public var headers: [String: String] = [:]
    public var body: [UInt8] = []
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  public struct Event: Equatable, Sendable {
    public var name: String?
    public var data: String?
    public var isComment: Bool

    public init(name: String? = nil, data: String? = nil, isComment: Bool = false) {
      self.name = name
      self.data = data
      self.isComment = isComment
    }
  }

  package let socket: RawClient
  private let port: UInt16
  private var unread: [UInt8] = []
  private var events: [Event] = []

  public init(port: UInt16) throws {
    self.port = port
    let address = SocketAddress(numericHost: "127.0.0.1", port: port)
    guard let address else { throw Malformed() }
    socket = try RawClient(address)
  }

  // MARK: Requests

  /// Sends a request without waiting. A header of `Host` replaces the right one.
  public func send(
    _ path: String, method: String = "GET", headers: [String: String] = [:], body: [UInt8] = []
  ) {
    var lines = ["\(method) \(path) HTTP/1.1"]
    if headers["Host"] == nil { lines.append("Host: 127.0.0.1:\(port)") }
    lines += headers.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)" }
    if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
    socket.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  /// Sends a request and reads the response, except the body of a stream.
  @discardableResult
  public func get(
    _ path: String, method: String = "GET", headers: [String: String] = [:]
  ) throws -> Response {
    send(path, method: method, headers: headers)
    return try response(hasBody: method != "HEAD")
  }

  /// Sends a tap as the page does. An empty value removes a header.
  public func tap(
    _ body: String, path: String = "/tap", headers: [String: String] = [:]
  ) throws -> Response {
    let own = ["Origin": "http://127.0.0.1:\(port)", "Content-Type": "application/json"]
    send(
      path, method: "POST", headers: own.merging(headers) { $1 }, body: Array(body.utf8))
    return try response()
  }

  public func response(hasBody: Bool = true) throws -> Response {
    var response = Response()
    let parts = try line().split(separator: " ")
    guard parts.count > 1, let status = Int(parts[1]) else { throw Malformed() }
    response.status = status
    while case let header = try line(), !header.isEmpty {
      guard let colon = header.firstIndex(of: ":") else { throw Malformed() }
      let value = header[header.index(after: colon)...]
      response.headers[String(header[..<colon])] = String(value.drop { $0 == " " })
    }
    if hasBody, let length = response.headers["Content-Length"].flatMap({ Int($0) }) {
      response.body = try take(length)
    }
    return response
  }

  /// Opens the stream of updates.
  @discardableResult
  public func openEvents() throws -> Response { try get("/events") }

  /// Returns the next event or comment; nil at the end of the stream.
  public func nextEvent() throws -> Event? {
    while events.isEmpty {
      guard let size = Int(try line(), radix: 16) else { throw Malformed() }
      let chunk = try take(size)
      _ = try take(2)
      guard size > 0 else { return nil }
      // The server sends whole events in each chunk.
      var event = Event()
      for bytes in chunk.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
        let line = String(decoding: bytes, as: UTF8.self)
        if line.isEmpty {
          events.append(event)
          event = Event()
        }
        if line.hasPrefix(":") { event.isComment = true }
        if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
      }
    }
    return events.removeFirst()
  }

  /// Returns the elements of the next event, `[{"name":…,"frame":…},…]`.
  public func nextTrips() throws -> String {
    let event = try nextEvent()
    guard event?.name == "frames", let data = event?.data,
      let start = data.firstIndex(of: "["), data.hasSuffix("}")
    else { throw Malformed() }
    return String(data[start...].dropLast())
  }

  // MARK: Bytes

  private func line() throws -> String {
    var searched = 0
    while true {
      if let end = unread[searched...].firstIndex(of: 10) {
        let line = unread[..<end].filter { $0 != 13 }
        unread.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      searched = unread.count
      try fill()
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while unread.count < count { try fill() }
    defer { unread.removeFirst(count) }
    return Array(unread.prefix(count))
  }

  private func fill() throws {
    let bytes = try socket.read()
    guard !bytes.isEmpty else { throw Malformed() }
    unread += bytes
  }
}
