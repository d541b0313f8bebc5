import CNghttp2

/// Operations of both sides on a stream and on the connection.
extension HTTP2Session {
  /// The streams whose end has not been reported yet.
  public final var activeStreams: Int { streams.count }

  // MARK: Streams

  /// Sends body bytes; with `endStream` they are the last. They are kept until the peer's windows allow
  /// them: `unsentBytes` is the number that wait, and `bodyDrained` asks for more.
  /// Ignored if the stream is closed or was ended before.
  public final func sendData(_ stream: StreamID, _ bytes: [UInt8], endStream: Bool) {
    continueBody(stream, bytes, endStream ? .endStream : .open)
  }

  /// The same in DATA frames of their own: each has the given size, and the rest is in one more. A size of
  /// 0 makes an empty frame; a frame larger than the peer accepts is split.
  package final func sendData(
    _ stream: StreamID, _ bytes: [UInt8], frames: [Int], endStream: Bool
  ) {
    let end: OutboundBody.End = endStream ? .endStream : .open
    guard streams[stream]?.append(bytes, frames: frames, end: end) != nil
    else { return }
    unsafe nghttp2_session_resume_data(pointer, stream)
  }

  /// The number of bytes of a stream's body that wait for the peer's windows or the socket; 0 for a closed
  /// stream.
  public final func unsentBytes(_ stream: StreamID) -> Int {
    streams[stream]?.unsent ?? 0
  }

  final func continueBody(_ stream: StreamID, _ bytes: [UInt8], _ end: OutboundBody.End) {
    guard streams[stream]?.append(bytes, end: end) != nil else { return }
    // Fails if nothing was deferred: then nghttp2 reads the bytes anyway.
    unsafe nghttp2_session_resume_data(pointer, stream)
  }

  /// Ends a stream at once in both directions with RST_STREAM. Only `streamClosed` follows, with
  /// `resetLocally`. Ignored if the stream is closed already.
  public final func reset(_ stream: StreamID, errorCode: HTTP2ErrorCode) {
    guard streams[stream] != nil else { return }
    unsafe nghttp2_submit_rst_stream(pointer, noFlags, stream, errorCode.rawValue)
    // Reported here, because nghttp2 does not report a stream whose HEADERS are not sent yet.
    close(stream, .resetLocally(errorCode))
  }

  /// Reports the end of a stream, once.
  final func close(_ stream: StreamID, _ closure: StreamClosure) {
    if !violations.isEmpty { violations[stream] = nil }
    guard streams.removeValue(forKey: stream) != nil else { return }
    append(.streamClosed(stream, closure))
  }

  /// Closes the requests whose HEADERS wait in nghttp2. After a GOAWAY of either side, nghttp2 would not
  /// report them, or a server would ignore them.
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

  /// Returns `count` received body bytes to the windows of the stream and the connection, so that the peer
  /// may send as many more. Also for a stream that has closed.
  public final func consume(_ stream: StreamID, _ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume(pointer, stream, count)
  }

  /// Returns bytes to the window of the stream only. Bytes that a slow reader has not taken are not
  /// returned, which stops the peer.
  public final func consumeStream(_ stream: StreamID, _ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume_stream(pointer, stream, count)
  }

  /// Returns bytes to the window of the connection only. Return each byte once, and soon: bytes that are
  /// held here stop the other streams, too.
  public final func consumeConnection(_ count: Int) {
    guard count > 0 else { return }
    unsafe nghttp2_session_consume_connection(pointer, count)
  }

  // MARK: Connection

  /// Sends a PING; `pingAcknowledged` follows with the same number. nghttp2 acknowledges the peer's PINGs.
  public final func ping(_ opaque: UInt64) {
    let octets = unsafe withUnsafeBytes(of: opaque.bigEndian) { unsafe [UInt8]($0) }
    unsafe nghttp2_submit_ping(pointer, noFlags, octets)
  }

  /// Sends GOAWAY: no new stream is accepted or opened, and open ones continue to their end. Then the
  /// session wants neither to read nor to write. Requests that `send` has not written are closed as
  /// `unprocessed`. At most 16,376 octets of debug data.
  ///
  /// - Parameter lastStream: the last stream of the peer that is served; the last received one if nil.
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
