public import WireHTTP2

/// A gRPC client without I/O: an HTTP/2 client session and the response on each stream.
public final class GRPCClient {
  public struct Reply {
    public var headers: [HeaderField] = []
    public var body: [UInt8] = []
    public var trailers: [HeaderField] = []
    public var closure: StreamClosure?

    /// Returns a field of the trailers, or of the headers in a Trailers-Only response.
    public func status(_ name: String) -> String? {
      (trailers.isEmpty ? headers : trailers).first { $0.name == name }?.value
    }
  }

  public let session: HTTP2ClientSession
  public private(set) var replies: [StreamID: Reply] = [:]
  public private(set) var goAways: [StreamID] = []
  public private(set) var pings: [UInt64] = []
  /// The sizes of received DATA frames, and the number of PINGs; only if the session traces.
  public private(set) var dataFrames: [Int] = []
  public private(set) var pingFrames = 0
  /// Whether received bytes are returned to the windows.
  public var consumesBodies = true

  public init(_ configuration: HTTP2Configuration = .init()) throws {
    session = try HTTP2ClientSession(configuration: configuration)
  }

  public static func headers(
    _ path: String, _ changes: [String: String?] = [:]
  ) -> [HeaderField] {
    let fields = [
      (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"),
      ("te", "trailers"), ("content-type", "application/grpc"),
    ]
    var list = fields.compactMap { name, value -> HeaderField? in
      changes[name, default: value].map { HeaderField(name, $0) }
    }
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      if let value, !fields.contains(where: { $0.0 == name }) {
        list.append(HeaderField(name, value))
      }
    }
    return list
  }

  public static func framed(_ message: [UInt8], flag: UInt8 = 0) -> [UInt8] {
    let count = UInt32(message.count)
    return [flag] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + message
  }

  public func send(
    _ path: String, _ body: [UInt8], changes: [String: String?] = [:], endStream: Bool = true
  ) throws -> StreamID {
    let stream = try session.submitRequest(
      HeaderList(Self.headers(path, changes)), body: body, endStream: endStream)
    replies[stream] = Reply()
    return stream
  }

  /// Returns the bytes to send to the server.
  public func output() -> [UInt8] {
    var bytes: [UInt8] = []
    session.send(into: &bytes, limit: .max)
    takeEvents()
    return bytes
  }

  public func receive(_ bytes: [UInt8]) {
    session.receive(bytes)
    takeEvents()
  }

  private func takeEvents() {
    while let event = session.nextEvent() {
      switch event {
      case .headers(let stream, let fields, _): replies[stream]?.headers = fields
      case .data(let stream, let bytes, _):
        replies[stream]?.body += bytes
        if consumesBodies { session.consume(stream, bytes.count) }
      case .trailers(let stream, let fields): replies[stream]?.trailers = fields
      case .streamClosed(let stream, let closure): replies[stream]?.closure = closure
      case .goAway(let last, _, _): goAways.append(last)
      case .pingAcknowledged(let number): pings.append(number)
      case .frameReceived(let frame) where frame.type == 0: dataFrames.append(frame.length)
      case .frameReceived(let frame) where frame.type == 6: pingFrames += 1
      default: break
      }
    }
  }
}

extension GRPCClient {
  public struct ConnectionClosed: Error {
    public init() {}
  }

  /// Exchanges bytes with a server until a condition holds. Throws if the server closes the
  /// connection or does not respond.
  package func exchange(over socket: RawClient, until isDone: () -> Bool) throws {
    while !isDone() {
      socket.write(output())
      let bytes = try socket.read()
      guard !bytes.isEmpty else { throw ConnectionClosed() }
      receive(bytes)
    }
    socket.write(output())
  }

  /// Exchanges bytes with a server until a stream is closed.
  package func finish(_ stream: StreamID, over socket: RawClient) throws -> Reply {
    try exchange(over: socket) { replies[stream]?.closure != nil }
    return replies[stream] ?? Reply()
  }
}
