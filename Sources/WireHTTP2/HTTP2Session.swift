import CNghttp2

/// One side of an HTTP/2 connection (RFC 9113) without I/O: bytes go in, events come out;
/// calls are made, bytes come out. `HTTP2ClientSession` and `HTTP2ServerSession` add what only
/// their side may do.
///
/// The driver's round: `receive` what the socket gave, take events with `nextEvent` until
/// there is none, `send` until nothing is appended, take the events that made, and begin anew.
/// Nothing here throws because of a peer: a connection that cannot go on yields `failed`.
///
/// A session belongs to one task or thread at a time. It owns its `nghttp2_session`.
@safe public class HTTP2Session {
  let configuration: HTTP2Configuration
  let isServer: Bool
  let pointer: OpaquePointer

  private var queue: [QueuedEvent] = []
  private var nextInQueue = 0
  /// The body bytes that events of the queue point into.
  private var received: [UInt8] = []

  /// What is to be sent on each stream whose closure has not been told yet.
  var streams: [StreamID: OutboundBody] = [:]
  /// The header list being received.
  var headerBlock = HeaderBlock()
  var strings = StringCache()
  var floodGuard: FloodGuard
  var inboundFrames: FrameScanner
  var outboundFrames: FrameScanner
  /// What nghttp2 or a limit found wrong on a stream that is about to be reset.
  var violations: [StreamID: HTTP2Error] = [:]
  /// The stream that the frame now handled resets, and from which side.
  var reset: (stream: StreamID, byPeer: Bool)?
  /// Why the HEADERS now dropped were not sent.
  var notSent: (stream: StreamID, error: HTTP2Error)?
  /// nghttp2's last remark on what the peer did wrong.
  var remark: String?
  /// The first bytes of the peer, kept until its SETTINGS prove it to speak HTTP/2.
  var firstBytes: [UInt8] = []
  var lastGoAway: StreamID?
  var isGoingAway = false
  var failure: HTTP2Error?

  /// The peer's SETTINGS as last received; nil before the first.
  public internal(set) final var remoteSettings: HTTP2Settings?

  init(configuration: HTTP2Configuration, isServer: Bool) throws(HTTP2Error) {
    try configuration.validate()
    self.configuration = configuration
    self.isServer = isServer
    unsafe pointer = try makeSession(configuration, isServer: isServer)
    floodGuard = FloodGuard(now: configuration.now())
    inboundFrames = FrameScanner(skipping: isServer ? clientPrefaceLength : 0)
    outboundFrames = FrameScanner(skipping: isServer ? 0 : clientPrefaceLength)
    unsafe nghttp2_session_set_user_data(pointer, Unmanaged.passUnretained(self).toOpaque())
    try submitFirstSettings()
  }

  deinit { unsafe nghttp2_session_del(pointer) }

  private func submitFirstSettings() throws(HTTP2Error) {
    var entries = [
      (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, configuration.streamWindow),
      (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, configuration.maxHeaderListSize),
    ]
    if isServer {
      entries.append((NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, configuration.maxConcurrentStreams))
    } else {
      entries.append((NGHTTP2_SETTINGS_ENABLE_PUSH, 0))
    }
    let settings = entries.map {
      nghttp2_settings_entry(
        settings_id: Int32($0.0.rawValue), value: UInt32(truncatingIfNeeded: $0.1))
    }
    var code = unsafe settings.withUnsafeBufferPointer {
      unsafe nghttp2_submit_settings(pointer, noFlags, $0.baseAddress, $0.count)
    }
    if code == 0 {
      code = unsafe nghttp2_session_set_local_window_size(
        pointer, noFlags, 0, Int32(truncatingIfNeeded: configuration.connectionWindow))
    }
    if code != 0 { throw .library(code, "the first SETTINGS could not be made") }
  }

  // MARK: Bytes

  /// Takes bytes from the peer, in pieces of any size. Take the events before the next piece:
  /// until then every event made is kept in memory.
  public final func receive(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil, bytes.count > 0 else { return }
    reuseBuffers()
    if remoteSettings == nil { unsafe keepFirst(bytes) }
    unsafe inboundFrames.scan(bytes) { frame in
      let isReset = frame.type == HTTP2Frame.Kind.resetStream
      floodGuard.charge(isServer && isReset ? FloodGuard.resetCost : 1)
      if configuration.tracesFrames { append(.frameReceived(frame)) }
    }
    let count = unsafe nghttp2_session_mem_recv(
      pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    if count < 0 {
      fail(receiveError(Int32(truncatingIfNeeded: count)))
    } else if floodGuard.isExhausted(now: configuration.now) {
      let error = HTTP2Error(
        .flood, "the peer sent thousands of frames that lead nowhere", code: .enhanceYourCalm)
      unsafe nghttp2_session_terminate_session(pointer, HTTP2ErrorCode.enhanceYourCalm.rawValue)
      fail(error)
    }
  }

  /// Takes bytes from the peer, in pieces of any size.
  public final func receive(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe receive($0) }
  }

  /// Appends what is to be written to the socket until `output` holds `limit` bytes or more;
  /// whole frames, so it may end up to 16 KiB above. Nothing appended means nothing to send now.
  public final func send(into output: inout [UInt8], limit: Int = 1 << 16) {
    while output.count < limit {
      var chunk: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(pointer, &chunk)
      guard count >= 0 else {
        fail(.library(Int32(truncatingIfNeeded: count), "frames could not be made"))
        return
      }
      guard count > 0, let bytes = unsafe chunk else { return }
      let frames = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
      if configuration.tracesFrames {
        unsafe outboundFrames.scan(frames) { append(.frameSent($0)) }
      }
      unsafe output.append(contentsOf: frames)
    }
  }

  /// Whether `send` might append something.
  public final var wantsWrite: Bool { unsafe nghttp2_session_want_write(pointer) != 0 }

  /// Whether the session still expects bytes. When it wants neither to read nor to write,
  /// the connection is at its end and should be closed.
  public final var wantsRead: Bool {
    unsafe failure == nil && nghttp2_session_want_read(pointer) != 0
  }

  // MARK: Events

  /// The next event, oldest first; nil when there is none now.
  public final func nextEvent() -> HTTP2Event? {
    guard nextInQueue < queue.count else { return nil }
    defer { nextInQueue += 1 }
    switch queue[nextInQueue] {
    case .event(let event):
      return event
    case .data(let stream, let range, let endStream):
      return .data(stream, received[range], endStream: endStream)
    }
  }

  /// Empties the queue and the body bytes behind it, when all events have been taken.
  private func reuseBuffers() {
    guard nextInQueue == queue.count else { return }
    queue.removeAll(keepingCapacity: true)
    received.removeAll(keepingCapacity: true)
    nextInQueue = 0
  }

  final func append(_ event: HTTP2Event) { queue.append(.event(event)) }

  /// Adds body bytes to the last event if that is of the same stream, else as a new one.
  final func appendData(_ stream: StreamID, _ bytes: UnsafeBufferPointer<UInt8>, endStream: Bool) {
    let start = received.count
    unsafe received.append(contentsOf: bytes)
    if nextInQueue < queue.count, case .data(stream, let range, false) = queue[queue.count - 1] {
      queue[queue.count - 1] = .data(stream, range.lowerBound..<received.count, endStream)
    } else {
      queue.append(.data(stream, start..<received.count, endStream))
    }
  }

  /// Tells of the stream's end, once.
  final func close(_ stream: StreamID, _ closure: StreamClosure) {
    violations[stream] = nil
    guard streams.removeValue(forKey: stream) != nil else { return }
    append(.streamClosed(stream, closure))
  }

  final func fail(_ error: HTTP2Error) {
    guard failure == nil else { return }
    failure = error
    append(.failed(error))
  }

  // MARK: Streams

  /// Streams whose closure has not been told yet.
  public final var activeStreams: Int { streams.count }

  /// Sends body bytes, and with `endStream` nothing after them. They are kept until the peer's
  /// windows allow them. Ignored when the stream is closed or was ended before.
  public final func sendData(_ stream: StreamID, _ bytes: [UInt8], endStream: Bool) {
    continueBody(stream, bytes, endStream ? .endStream : .open)
  }

  final func continueBody(_ stream: StreamID, _ bytes: [UInt8], _ end: OutboundBody.End) {
    guard streams[stream] != nil else { return }
    streams[stream]?.append(bytes, end: end)
    // Fails when nothing was deferred: then the bytes are fetched anyway.
    unsafe nghttp2_session_resume_data(pointer, stream)
  }

  /// Ends a stream at once, both ways: RST_STREAM. `streamClosed` follows with `resetLocally`, and
  /// nothing else for this stream. Ignored when it is closed already.
  public final func reset(_ stream: StreamID, errorCode: HTTP2ErrorCode) {
    guard streams[stream] != nil else { return }
    // A stream above a limit or without HEADERS sent would get no callback: tell it now.
    unsafe nghttp2_submit_rst_stream(pointer, noFlags, stream, errorCode.rawValue)
    close(stream, .resetLocally(errorCode))
  }

  /// Gives `count` received body bytes back to the windows of the stream and the connection, so
  /// that the peer may send as many more. Right also after the stream has closed.
  public final func consume(_ stream: StreamID, _ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume(pointer, stream, count)
  }

  /// Gives bytes back to the connection's window only, so that a slow reader of one stream does
  /// not stop the others; follow with `consumeStream` when that reader has read.
  public final func consumeConnection(_ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume_connection(pointer, count)
  }

  /// Gives bytes back to the stream's window only; see `consumeConnection`.
  public final func consumeStream(_ stream: StreamID, _ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume_stream(pointer, stream, count)
  }

  // MARK: Connection

  /// Sends a PING; `pingAcknowledged` follows with the same number. The peer's own pings
  /// are answered by nghttp2.
  public final func ping(_ opaque: UInt64) {
    let octets = unsafe withUnsafeBytes(of: opaque.bigEndian) { unsafe [UInt8]($0) }
    unsafe nghttp2_submit_ping(pointer, noFlags, octets)
  }

  /// Sends GOAWAY: no new stream is taken or made, those open go on to their end; then
  /// the session wants neither to read nor to write.
  public final func goAway(errorCode: HTTP2ErrorCode = .noError, debugData: [UInt8] = []) {
    isGoingAway = true
    let last = unsafe nghttp2_session_get_last_proc_stream_id(pointer)
    unsafe nghttp2_submit_goaway(
      pointer, noFlags, last, errorCode.rawValue, debugData, debugData.count)
  }

  // MARK: Errors

  private func keepFirst(_ bytes: UnsafeRawBufferPointer) {
    let missing = max(0, 16 - firstBytes.count)
    unsafe firstBytes.append(contentsOf: bytes.prefix(missing))
  }

  private func receiveError(_ code: Int32) -> HTTP2Error {
    switch code {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue:
      return HTTP2Error.notHTTP2(firstBytes, libraryCode: code)
    case NGHTTP2_ERR_FLOODED.rawValue:
      return .library(code, "the peer does not read what it makes us answer", kind: .flood)
    default:
      return .library(code, "received bytes could not be handled")
    }
  }
}

/// An event as queued: body bytes stay in the session's buffer until they are asked for.
private enum QueuedEvent {
  case event(HTTP2Event)
  case data(StreamID, Range<Int>, Bool)
}
