import CNghttp2
import WireSystem

/// One side of an HTTP/2 connection (RFC 9113) without I/O: bytes go in, events come out; calls are
/// made, bytes come out. `HTTP2ClientSession` and `HTTP2ServerSession` add the operations of one side.
///
/// The driver passes received bytes to `receive`, takes events with `nextEvent` until there is none,
/// calls `send` until nothing is appended, takes the events of that, and starts again. Nothing here
/// throws because of a peer: a connection that cannot go on yields `failed`.
///
/// A session belongs to one task or thread at a time. It owns its `nghttp2_session`.
@safe public class HTTP2Session {
  final let configuration: HTTP2Configuration
  final let isServer: Bool
  final let pointer: OpaquePointer

  private final var events = EventQueue()
  final var received: ReceivedBytes
  /// Finds the frames in sent bytes, for the trace.
  private final var sentFrames: FrameScanner
  final var abuseBudget: AbuseBudget
  /// The error that ended the connection. It is the last event.
  private(set) final var failure: HTTP2Error?
  /// The bytes to send after nghttp2 has failed, when it may not be called any more; nil before.
  private final var finalBytes: [UInt8]?

  /// The bodies to send, by stream; a stream stays until `streamClosed` is reported.
  final var streams = StreamTable<OutboundBody>()
  final var endings = StreamEndings()
  /// The peer's streams, if it is a client.
  final var openedStreams = OpenedStreams()
  /// The header list being received.
  final var headerBlock = HeaderBlock()
  /// nghttp2's last message about a violation by the peer.
  final var libraryMessage: String?
  /// The last stream whose HEADERS `send` wrote; 0 before the first. A client's HEADERS are sent in
  /// the order of their stream IDs, so the peer has not seen any stream above it.
  public internal(set) final var lastOpenedStream: StreamID = 0
  /// The code of our own GOAWAY.
  final var goAwaySubmitted: HTTP2ErrorCode?

  /// The peer's SETTINGS as last received; nil before the first.
  public internal(set) final var remoteSettings: HTTP2Settings?

  init(configuration: HTTP2Configuration, isServer: Bool) throws(HTTP2Error) {
    try configuration.validate()
    self.configuration = configuration
    self.isServer = isServer
    unsafe pointer = try makeSession(configuration, isServer: isServer)
    abuseBudget = AbuseBudget(framesSince: configuration.now())
    received = ReceivedBytes(skipping: isServer ? FrameScanner.clientPreface : 0)
    sentFrames = FrameScanner(skipping: isServer ? 0 : FrameScanner.clientPreface)
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
    if code != 0 { throw .library(code, "the first SETTINGS could not be created") }
  }

  // MARK: Bytes

  /// Processes bytes from the peer, in pieces of any size. Take the events before the next piece:
  /// they stay in memory until then.
  public final func receive(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil, bytes.count > 0 else { return }
    events.reuse()
    if let error = unsafe received.foreignProtocol(in: bytes) {
      finalBytes = []
      return fail(error)
    }
    let (header, rest) = unsafe received.take(bytes) { frame in
      let isReset = frame.type == HTTP2Frame.Kind.resetStream
      abuseBudget.charge(isServer && isReset ? AbuseBudget.resetCost : 1)
      if configuration.tracesFrames { append(.frameReceived(frame)) }
    }
    if !header.isEmpty { unsafe header.withUnsafeBytes { unsafe feed($0) } }
    unsafe feed(rest)
    checkFlood()
  }

  private func feed(_ bytes: UnsafeRawBufferPointer) {
    guard finalBytes == nil, bytes.count > 0 else { return }
    let count = unsafe nghttp2_session_mem_recv(
      pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    guard count < 0 else { return }
    let error = receiveError(Int32(truncatingIfNeeded: count))
    finalBytes = error.code.map(HTTP2Frame.goAway) ?? []
    fail(error)
  }

  /// Processes bytes from the peer, in pieces of any size.
  public final func receive(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe receive($0) }
  }

  /// Appends bytes for the socket until `output` holds `limit` bytes or more. Frames are appended
  /// whole, so `output` may end up to 16 KiB above. If nothing is appended, there is nothing to send.
  public final func send(into output: inout [UInt8], limit: Int = 1 << 16) {
    if let finalBytes {
      output += finalBytes
      self.finalBytes = []
      return
    }
    while output.count < limit {
      var chunk: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(pointer, &chunk)
      guard count >= 0 else {
        finalBytes = []
        return fail(.library(Int32(truncatingIfNeeded: count), "frames could not be created"))
      }
      guard count > 0, let bytes = unsafe chunk else { return }
      let frames = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
      if configuration.tracesFrames {
        unsafe sentFrames.scan(frames) { append(.frameSent($0)) }
      }
      unsafe output.append(contentsOf: frames)
    }
  }

  /// Whether `send` might append something.
  public final var wantsWrite: Bool {
    if let finalBytes { return !finalBytes.isEmpty }
    return unsafe nghttp2_session_want_write(pointer) != 0
  }

  /// Whether the session still expects bytes. When it wants neither to read nor to write,
  /// the connection is at its end and should be closed.
  public final var wantsRead: Bool {
    unsafe failure == nil && nghttp2_session_want_read(pointer) != 0
  }

  // MARK: Events

  /// Whether there is a next event.
  public final var hasEvents: Bool { !events.isEmpty }

  /// The next event, oldest first; nil when there is none now.
  public final func nextEvent() -> HTTP2Event? { events.take() }

  final func append(_ event: consuming HTTP2Event) {
    if failure == nil { events.append(event) }
  }

  final func appendData(_ stream: StreamID, _ bytes: UnsafeBufferPointer<UInt8>, endStream: Bool) {
    if failure == nil { unsafe events.appendData(stream, bytes, endStream: endStream) }
  }

  final func fail(_ error: HTTP2Error) {
    append(.failed(error))
    if failure == nil { failure = error }
  }

  /// Ends the connection when the peer has used up its abuse budget.
  final func checkFlood() {
    guard failure == nil, abuseBudget.isExhausted(now: configuration.now) else { return }
    end(
      .flood, .enhanceYourCalm,
      "the peer sent too many frames that make no progress, such as PING, SETTINGS and empty DATA")
  }

  /// Ends the connection with a GOAWAY.
  final func end(_ kind: HTTP2Error.Kind, _ code: HTTP2ErrorCode, _ detail: String) {
    unsafe nghttp2_session_terminate_session(pointer, code.rawValue)
    fail(HTTP2Error(kind, detail, code: code))
  }

  private func receiveError(_ code: Int32) -> HTTP2Error {
    switch code {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue:
      return .notHTTP2(received.firstBytes, libraryCode: code)
    case NGHTTP2_ERR_FLOODED.rawValue:
      return .library(
        code, "the peer sends PING or SETTINGS frames and does not read the acknowledgments",
        kind: .flood
      ).with(.enhanceYourCalm)
    case -905:  // NGHTTP2_ERR_TOO_MANY_CONTINUATIONS, which not every 1.52 has
      return .library(code, "the peer sent a header block in too many pieces", kind: .flood)
        .with(.enhanceYourCalm)
    default:
      return .library(code, "received bytes could not be handled")
    }
  }
}

let noFlags = UInt8(truncatingIfNeeded: NGHTTP2_FLAG_NONE.rawValue)
