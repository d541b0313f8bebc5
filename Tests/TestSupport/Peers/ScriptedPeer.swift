public import WireHTTP2

/// The peer of a session, controlled by the test frame by frame, without an HTTP/2 library.
public struct ScriptedPeer {
  public let session: HTTP2Session
  /// The events of the session.
  public private(set) var told = Transcript()
  /// All frames that the session has sent.
  public private(set) var heard: [RawFrame] = []
  /// Whether the session sent the client's preface first.
  public private(set) var heardPreface = false
  private var unread: [UInt8] = []
  /// Whether body bytes are consumed at once, as by a fast reader.
  public var consumes = true

  public init(_ session: HTTP2Session) {
    self.session = session
    listen()
  }

  /// Creates a peer that has sent its SETTINGS and acknowledged the session's.
  public init(_ session: HTTP2Session, settings: (UInt16, UInt32)...) {
    self.init(session)
    let entries = settings.flatMap { bigEndian($0.0) + bigEndian($0.1) }
    if session is HTTP2ServerSession { say(bytes: RawFrame.clientPreface) }
    say(RawFrame(.settings, entries), .settingsAcknowledgement)
  }

  /// Sends frames to the session and receives its frames.
  public mutating func say(_ frames: RawFrame...) {
    say(bytes: frames.flatMap(\.bytes))
  }

  public mutating func say(bytes: [UInt8]) {
    session.receive(bytes)
    listen()
  }

  /// Sends frames without receiving, like a peer with a full socket.
  public mutating func shout(_ frames: RawFrame...) {
    session.receive(frames.flatMap(\.bytes))
    takeEvents()
  }

  /// Takes all events and frames of the session. Returns the new frames.
  @discardableResult
  public mutating func listen() -> [RawFrame] {
    let known = heard.count
    takeEvents()
    while true {
      let before = unread.count
      session.send(into: &unread, limit: .max)
      takeEvents()
      if unread.count == before { break }
    }
    if unread.starts(with: RawFrame.clientPreface) {
      unread.removeFirst(RawFrame.clientPreface.count)
      heardPreface = true
    }
    heard += RawFrame.cut(from: &unread)
    return Array(heard[known...])
  }

  /// Returns the received frames of one kind, optionally on one stream.
  public func heard(_ kind: RawFrame.Kind, on stream: Int? = nil) -> [RawFrame] {
    heard.filter { $0.kind == kind && (stream == nil || $0.stream == UInt32(stream ?? 0)) }
  }

  private mutating func takeEvents() {
    while let event = session.nextEvent() {
      told.note(event)
      if consumes, case .data(let stream, let bytes, _) = event {
        session.consume(stream, bytes.count)
      }
    }
  }
}
