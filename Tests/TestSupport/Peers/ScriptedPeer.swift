public import WireHTTP2

/// The peer of a session. A test sends and checks single frames, without an HTTP/2 library.
public struct ScriptedPeer {
  public let session: HTTP2Session
  /// The events of the session.
  public private(set) var events = SessionEvents()
  /// All frames that the session has sent.
  public private(set) var received: [RawFrame] = []
  /// Whether the session sent the client's preface first.
  public private(set) var receivedPreface = false
  private var unread: [UInt8] = []
  /// Whether body bytes are consumed at once, as by a fast reader.
  public var consumes = true

  public init(_ session: HTTP2Session) {
    self.session = session
    receive()
  }

  /// Creates a peer that has sent its SETTINGS and acknowledged the session's.
  public init(_ session: HTTP2Session, settings: (UInt16, UInt32)...) {
    self.init(session)
    let entries = settings.flatMap { bigEndian($0.0) + bigEndian($0.1) }
    if session is HTTP2ServerSession { send(bytes: RawFrame.clientPreface) }
    send(RawFrame(.settings, entries), .settingsAcknowledgement)
  }

  /// Sends frames to the session and receives its frames.
  public mutating func send(_ frames: RawFrame...) {
    send(bytes: frames.flatMap(\.bytes))
  }

  public mutating func send(bytes: [UInt8]) {
    session.receive(bytes)
    receive()
  }

  /// Sends frames without receiving, like a peer with a full socket.
  public mutating func sendWithoutReading(_ frames: RawFrame...) {
    session.receive(frames.flatMap(\.bytes))
    takeEvents()
  }

  /// Takes all events and frames of the session. Returns the new frames.
  @discardableResult
  public mutating func receive() -> [RawFrame] {
    let known = received.count
    takeEvents()
    while true {
      let before = unread.count
      session.send(into: &unread, limit: .max)
      takeEvents()
      if unread.count == before { break }
    }
    if unread.starts(with: RawFrame.clientPreface) {
      unread.removeFirst(RawFrame.clientPreface.count)
      receivedPreface = true
    }
    received += RawFrame.takeFrames(from: &unread)
    return Array(received[known...])
  }

  /// Returns the received frames of one kind, optionally on one stream.
  public func received(_ kind: RawFrame.Kind, on stream: Int? = nil) -> [RawFrame] {
    received.filter { $0.kind == kind && (stream == nil || $0.stream == UInt32(stream ?? 0)) }
  }

  private mutating func takeEvents() {
    while let event = session.nextEvent() {
      events.record(event)
      if consumes, case .data(let stream, let bytes, _) = event {
        session.consume(stream, bytes.count)
      }
    }
  }
}
