public import WireHTTP2

/// Connects two sessions. Bytes travel in pieces of at most `capacity`, in both directions.
public struct BytePipe {
  public let client: HTTP2ClientSession
  public let server: HTTP2ServerSession
  /// The maximum number of bytes per `receive`.
  public var capacity: Int

  public init(
    client: HTTP2ClientSession, server: HTTP2ServerSession, capacity: Int = .max
  ) {
    self.client = client
    self.server = server
    self.capacity = capacity
  }

  /// Transfers bytes until neither side has any. Passes events to the closures as they occur.
  public func run(
    client onClient: (HTTP2Event) -> Void, server onServer: (HTTP2Event) -> Void
  ) {
    while true {
      let sent = transfer(client, to: server, onServer) + transfer(server, to: client, onClient)
      while let event = client.nextEvent() { onClient(event) }
      while let event = server.nextEvent() { onServer(event) }
      if sent == 0 { return }
    }
  }

  private func transfer(
    _ sender: HTTP2Session, to receiver: HTTP2Session, _ handle: (HTTP2Event) -> Void
  ) -> Int {
    var bytes: [UInt8] = []
    sender.send(into: &bytes)
    var rest = bytes[...]
    while !rest.isEmpty {
      receiver.receive(Array(rest.prefix(capacity)))
      rest = rest.dropFirst(capacity)
      while let event = receiver.nextEvent() { handle(event) }
    }
    return bytes.count
  }
}
