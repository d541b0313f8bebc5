public import WireHTTP2

/// The other end of a session, played by the test frame by frame, without any HTTP/2 library.
public struct ScriptedPeer {
  public let session: HTTP2Session
  /// What the session told its driver.
  public private(set) var told = Transcript()
  /// Every frame that the session has sent.
  public private(set) var heard: [RawFrame] = []
  /// Whether the session began with the client's preface.
  public private(set) var heardPreface = false
  private var unread: [UInt8] = []
  /// Body bytes are consumed as soon as they are told, as by a fast reader.
  public var consumes = true

  public init(_ session: HTTP2Session) {
    self.session = session
    listen()
  }

  /// A peer that has said its SETTINGS and taken the session's.
  public init(_ session: HTTP2Session, settings: (UInt16, UInt32)...) {
    self.init(session)
    let entries = settings.flatMap { bigEndian($0.0) + bigEndian($0.1) }
    if session is HTTP2ServerSession { say(bytes: RawFrame.clientPreface) }
    say(RawFrame(.settings, entries), .settingsAcknowledgement)
  }

  /// Sends frames to the session and takes what it says to them.
  public mutating func say(_ frames: RawFrame...) {
    say(bytes: frames.flatMap(\.bytes))
  }

  public mutating func say(bytes: [UInt8]) {
    session.receive(bytes)
    listen()
  }

  /// Sends frames without reading an answer, as a peer with a full socket.
  public mutating func shout(_ frames: RawFrame...) {
    session.receive(frames.flatMap(\.bytes))
    takeEvents()
  }

  /// Takes all that the session has to send and to tell. Returns the new frames.
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

  /// The frames heard of one kind, on one stream if given.
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
