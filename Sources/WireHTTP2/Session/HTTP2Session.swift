import CNghttp2
import WireSystem

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
  final let configuration: HTTP2Configuration
  final let isServer: Bool
  final let pointer: OpaquePointer

  private final var events = EventQueue()
  private final var inboundFrames: FrameScanner
  private final var outboundFrames: FrameScanner
  final var abuseBudget: AbuseBudget
  /// Why the connection is lost. No event is told after it.
  private(set) final var failure: HTTP2Error?
  /// Whether nghttp2 gave up: then it may not be called for more output.
  private final var isDead = false
  /// What is sent after nghttp2 gave up.
  private final var finalBytes: [UInt8] = []
  /// The first octets of a frame's head, until the rest has come.
  private final var cutHead: [UInt8] = []

  /// What is to be sent on each stream whose closure has not been told yet.
  final var streams = StreamTable<OutboundBody>()
  /// The header list being received.
  final var headerBlock = HeaderBlock()
  /// What the peer, or its header list, did wrong on a stream that is about to be reset.
  final var violations: [StreamID: HTTP2Error] = [:]
  /// The last RST_STREAM, to tell whose it was when nghttp2 closes the stream next.
  final var lastReset: (stream: StreamID, byPeer: Bool)?
  /// The last HEADERS dropped, for the same.
  final var notSent: (stream: StreamID, error: HTTP2Error)?
  /// nghttp2's last words on what the peer did wrong.
  final var libraryMessage: String?
  /// The peer's first bytes, kept until its SETTINGS prove that it speaks HTTP/2.
  final var firstBytes: [UInt8] = []
  /// The last stream whose HEADERS were put out by `send`; 0 before the first. Those of a client go
  /// out in the order of their ids, so the peer can know nothing of a stream above it.
  public internal(set) final var lastOpenedStream: StreamID = 0
  /// The last stream of the peer's GOAWAY.
  final var goAwayReceived: StreamID?
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
    inboundFrames = FrameScanner(skipping: isServer ? FrameScanner.clientPreface : 0)
    outboundFrames = FrameScanner(skipping: isServer ? 0 : FrameScanner.clientPreface)
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
    events.reuse()
    if remoteSettings == nil, let error = unsafe foreignProtocol(bytes) { return fail(error) }
    let known = inboundFrames.headCount
    unsafe inboundFrames.scan(bytes) { frame in
      let isReset = frame.type == HTTP2Frame.Kind.resetStream
      abuseBudget.charge(isServer && isReset ? AbuseBudget.resetCost : 1)
      if configuration.tracesFrames { append(.frameReceived(frame)) }
    }
    unsafe feed(bytes, known: known)
    checkFlood()
  }

  /// Keeps the head of a frame back until it is whole: nghttp2 counts each piece of a CONTINUATION's
  /// head as one more CONTINUATION. `known` octets of a head came before `bytes`.
  private func feed(_ bytes: UnsafeRawBufferPointer, known: Int) {
    var bytes = unsafe bytes
    if !cutHead.isEmpty {
      let missing = min(HTTP2Frame.headLength - known, bytes.count)
      unsafe cutHead.append(contentsOf: bytes[..<missing])
      guard cutHead.count == HTTP2Frame.headLength else { return }
      let head = cutHead
      cutHead = []
      unsafe head.withUnsafeBytes { unsafe feed($0) }
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[missing...])
    }
    // Before the peer's SETTINGS what comes may be no head, and should be told of at once.
    let begun = inboundFrames.headCount
    let cut = remoteSettings == nil || begun > bytes.count ? 0 : begun
    let whole = bytes.count - cut
    unsafe feed(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
    unsafe cutHead.append(contentsOf: bytes[whole...])
  }

  private func feed(_ bytes: UnsafeRawBufferPointer) {
    guard !isDead, bytes.count > 0 else { return }
    let count = unsafe nghttp2_session_mem_recv(
      pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    guard count < 0 else { return }
    isDead = true
    let error = receiveError(Int32(truncatingIfNeeded: count))
    if let code = error.code { finalBytes = HTTP2Frame.goAway(code) }
    fail(error)
  }

  /// Takes bytes from the peer, in pieces of any size.
  public final func receive(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe receive($0) }
  }

  /// Appends what is to be written to the socket until `output` holds `limit` bytes or more;
  /// whole frames, so it may end up to 16 KiB above. Nothing appended means nothing to send now.
  public final func send(into output: inout [UInt8], limit: Int = 1 << 16) {
    output += finalBytes
    finalBytes = []
    while output.count < limit, !isDead {
      var chunk: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(pointer, &chunk)
      guard count >= 0 else {
        isDead = true
        return fail(.library(Int32(truncatingIfNeeded: count), "frames could not be made"))
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
  public final var wantsWrite: Bool {
    unsafe isDead ? !finalBytes.isEmpty : nghttp2_session_want_write(pointer) != 0
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

  /// Cuts the peer off when it has used up its credit.
  final func checkFlood() {
    guard failure == nil, abuseBudget.isExhausted(now: configuration.now) else { return }
    let code = HTTP2ErrorCode.enhanceYourCalm
    unsafe nghttp2_session_terminate_session(pointer, code.rawValue)
    fail(HTTP2Error(.flood, "the peer sent thousands of useless frames", code: code))
  }

  /// The error if the first bytes are those of another protocol, said before nghttp2 has seen
  /// the nine octets it would wait for: a TLS alert has seven.
  private func foreignProtocol(_ bytes: UnsafeRawBufferPointer) -> HTTP2Error? {
    let missing = max(0, 32 - firstBytes.count)
    unsafe firstBytes.append(contentsOf: bytes.prefix(missing))
    guard HTTP2Error.PeerProtocol(firstBytes: firstBytes) != .unknown else { return nil }
    isDead = true
    return .notHTTP2(firstBytes)
  }

  private func receiveError(_ code: Int32) -> HTTP2Error {
    switch code {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue:
      return .notHTTP2(firstBytes, libraryCode: code)
    case NGHTTP2_ERR_FLOODED.rawValue:
      return .library(code, "the peer does not read the frames that it requests", kind: .flood)
        .told(.enhanceYourCalm)
    case -905:  // NGHTTP2_ERR_TOO_MANY_CONTINUATIONS, which not every 1.52 has
      return .library(code, "the peer sent a header block in too many pieces", kind: .flood)
        .told(.enhanceYourCalm)
    default:
      return .library(code, "received bytes could not be handled")
    }
  }
}

let noFlags = UInt8(truncatingIfNeeded: NGHTTP2_FLAG_NONE.rawValue)
