/// The reasons for the ends of streams, collected from frames before nghttp2 reports a closed stream.
struct StreamEndings {
  /// The violations of streams that are about to be reset.
  var violations: [StreamID: HTTP2Error] = [:]
  /// The last RST_STREAM. nghttp2 closes its stream next.
  var lastReset: (stream: StreamID, byPeer: Bool)?
  /// The last HEADERS that could not be sent. nghttp2 closes their stream next.
  var unsentHeaders: (stream: StreamID, error: HTTP2Error)?
  /// The last stream that the peer's GOAWAY does not exclude; nil for the server, whose streams are the
  /// peer's own.
  var lastProcessed: StreamID?

  mutating func forgetViolation(_ stream: StreamID) {
    if !violations.isEmpty { violations[stream] = nil }
  }

  /// Returns how the stream that nghttp2 has closed with `code` ended.
  ///
  /// - Parameter violation: the error for a reset that nghttp2 decided on.
  mutating func closure(
    _ stream: StreamID, _ code: HTTP2ErrorCode, violation: (HTTP2ErrorCode) -> HTTP2Error
  ) -> StreamClosure {
    defer {
      lastReset = nil
      unsentHeaders = nil
    }
    let isReset = lastReset?.stream == stream
    if isReset, lastReset?.byPeer == true { return .resetByPeer(code) }
    if let error = violations[stream] { return .violation(error.with(code)) }
    if isReset, code != .noError { return .violation(violation(code)) }
    if let lastProcessed, stream > lastProcessed { return .unprocessed }
    if let unsentHeaders, unsentHeaders.stream == stream { return .notSent(unsentHeaders.error) }
    return code == .noError ? .finished : .resetLocally(code)
  }
}
