import CNghttp2

/// What both sides may do on a stream and on the connection.
extension HTTP2Session {
  /// Streams whose closure has not been told yet.
  public final var activeStreams: Int { streams.count }

  // MARK: Streams

  /// Sends body bytes, and with `endStream` nothing after them. They are kept until the peer's
  /// windows allow them: `unsentBytes` tells how many wait, `bodyDrained` when more would do no harm.
  /// Ignored when the stream is closed or was ended before.
  public final func sendData(_ stream: StreamID, _ bytes: [UInt8], endStream: Bool) {
    continueBody(stream, bytes, endStream ? .endStream : .open)
  }

  /// The same in DATA frames of their own: so many bytes in each, the rest in one more. An empty
  /// frame is one of 0 bytes; one that is larger than the peer takes is cut further.
  package final func sendData(
    _ stream: StreamID, _ bytes: [UInt8], frames: [Int], endStream: Bool
  ) {
    let end: OutboundBody.End = endStream ? .endStream : .open
    guard streams[stream]?.append(bytes, frames: frames, end: end) != nil
    else { return }
    unsafe nghttp2_session_resume_data(pointer, stream)
  }

  /// How many bytes of a stream's body wait for the peer's windows or for the socket; 0 when the
  /// stream is closed.
  public final func unsentBytes(_ stream: StreamID) -> Int {
    streams[stream]?.unsent ?? 0
  }

  final func continueBody(_ stream: StreamID, _ bytes: [UInt8], _ end: OutboundBody.End) {
    guard streams[stream]?.append(bytes, end: end) != nil else { return }
    // Fails when nothing was deferred: then the bytes are fetched anyway.
    unsafe nghttp2_session_resume_data(pointer, stream)
  }

  /// Ends a stream at once, both ways: RST_STREAM. `streamClosed` follows with `resetLocally`, and
  /// nothing else for this stream. Ignored when it is closed already.
  public final func reset(_ stream: StreamID, errorCode: HTTP2ErrorCode) {
    guard streams[stream] != nil else { return }
    unsafe nghttp2_submit_rst_stream(pointer, noFlags, stream, errorCode.rawValue)
    // Told here, as nghttp2 says nothing of a stream that waits for its HEADERS to be sent.
    close(stream, .resetLocally(errorCode))
  }

  /// Tells of the stream's end, once.
  final func close(_ stream: StreamID, _ closure: StreamClosure) {
    if !violations.isEmpty { violations[stream] = nil }
    guard streams.removeValue(forKey: stream) != nil else { return }
    append(.streamClosed(stream, closure))
  }

  /// Closes the requests whose HEADERS wait in nghttp2. After a GOAWAY, whosever it was, nghttp2
  /// would keep silent about them or a server ignore them.
  final func abandonUnsent() {
    guard !isServer else { return }
    for stream in streams.keys.sorted()
    where unsafe nghttp2_session_get_stream_remote_close(pointer, stream) < 0 {
      let code = HTTP2ErrorCode.cancel.rawValue
      unsafe nghttp2_submit_rst_stream(pointer, noFlags, stream, code)
      close(stream, .unprocessed)
    }
  }

  // MARK: Flow control

  /// Gives `count` received body bytes back to the windows of the stream and the connection, so
  /// that the peer may send as many more. Right also after the stream has closed.
  public final func consume(_ stream: StreamID, _ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume(pointer, stream, count)
  }

  /// The stream's half of `consume`: the peer may send as many more on it. What a slow reader has not
  /// taken yet is not given back, and so stops its peer.
  public final func consumeStream(_ stream: StreamID, _ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume_stream(pointer, stream, count)
  }

  /// The connection's half of `consume`. Each byte is to be given back once, soon and in any case:
  /// what is kept back here stops the other streams, too.
  public final func consumeConnection(_ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume_connection(pointer, count)
  }

  // MARK: Connection

  /// Sends a PING; `pingAcknowledged` follows with the same number. The peer's own pings
  /// are answered by nghttp2.
  public final func ping(_ opaque: UInt64) {
    let octets = unsafe withUnsafeBytes(of: opaque.bigEndian) { unsafe [UInt8]($0) }
    unsafe nghttp2_submit_ping(pointer, noFlags, octets)
  }

  /// Sends GOAWAY: no new stream is taken or made, those open go on to their end; then
  /// the session wants neither to read nor to write. Requests that have not been put out by
  /// `send` are closed as `unprocessed`. At most 16,376 octets of debug data.
  ///
  /// - Parameter lastStream: the last one of the peer's that is served; that which came last if nil.
  public final func goAway(
    errorCode: HTTP2ErrorCode = .noError, debugData: [UInt8] = [], lastStream: StreamID? = nil
  ) {
    goAwaySubmitted = errorCode
    let last = unsafe lastStream ?? nghttp2_session_get_last_proc_stream_id(pointer)
    unsafe nghttp2_submit_goaway(
      pointer, noFlags, last, errorCode.rawValue, debugData, debugData.count)
    abandonUnsent()
  }
}
