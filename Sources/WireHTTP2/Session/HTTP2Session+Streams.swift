import CNghttp2

/// The operations of both sides on a stream and on the connection.
extension HTTP2Session {
  /// The number of streams whose closure has not been reported yet.
  public final var activeStreams: Int { streams.count }

  // MARK: Streams

  /// Sends body bytes; with `endStream` they are the last. They wait until the peer's windows allow
  /// them: `unsentBytes` counts those that wait, and `bodyDrained` reports when more may be added.
  /// Ignored when the stream is closed or has been ended.
  ///
  /// - Parameter frames: the sizes of DATA frames, before one more for the rest. A frame of 0 bytes is
  ///   empty; one that is larger than the peer accepts is split.
  public final func sendData(
    _ stream: StreamID, _ bytes: [UInt8], frames: [Int]? = nil, endStream: Bool
  ) {
    continueBody(stream, bytes, frames: frames, endStream ? .endStream : .open)
  }

  /// The number of body bytes that wait for the peer's windows or the socket; 0 when the stream is
  /// closed.
  public final func unsentBytes(_ stream: StreamID) -> Int {
    streams[stream]?.unsent ?? 0
  }

  final func continueBody(
    _ stream: StreamID, _ bytes: [UInt8], frames: [Int]? = nil, _ end: OutboundBody.End
  ) {
    guard streams[stream]?.append(bytes, frames: frames, end: end) != nil else { return }
    // Fails when the body was not deferred; then nghttp2 reads the bytes anyway.
    unsafe nghttp2_session_resume_data(pointer, stream)
  }

  /// Ends a stream at once, both ways: RST_STREAM. `streamClosed` follows with `resetLocally`, and
  /// nothing else for this stream. Ignored when it is closed already.
  public final func reset(_ stream: StreamID, errorCode: HTTP2ErrorCode) {
    guard streams[stream] != nil else { return }
    unsafe nghttp2_submit_rst_stream(pointer, noFlags, stream, errorCode.rawValue)
    // Reported here, because nghttp2 does not report a stream whose HEADERS were never sent.
    close(stream, .resetLocally(errorCode))
  }

  /// Reports the stream's end, once.
  final func close(_ stream: StreamID, _ closure: StreamClosure) {
    endings.forgetViolation(stream)
    guard streams.removeValue(forKey: stream) != nil else { return }
    append(.streamClosed(stream, closure))
  }

  /// Closes the requests whose HEADERS wait in nghttp2. After a GOAWAY of either side, nghttp2 would
  /// not report them, or the server would ignore them.
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

  /// Returns `count` received body bytes to the windows of the stream and the connection, so that the
  /// peer may send as many more. May be called after the stream has closed.
  public final func consume(_ stream: StreamID, _ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume(pointer, stream, count)
  }

  /// The stream's half of `consume`. Bytes that a slow reader has not taken are not returned, which
  /// stops its peer.
  public final func consumeStream(_ stream: StreamID, _ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume_stream(pointer, stream, count)
  }

  /// The connection's half of `consume`. Return every byte exactly once and soon: bytes that are not
  /// returned stop the other streams, too.
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

  /// Sends GOAWAY: no new stream is accepted or opened, and open streams run to their end; then the
  /// session wants neither to read nor to write. Requests that `send` has not written are closed as
  /// `unprocessed`. At most 16,376 octets of debug data.
  ///
  /// - Parameter lastStream: the peer's last stream that is served; nil means the last that arrived.
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
