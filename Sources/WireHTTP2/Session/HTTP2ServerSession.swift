import CNghttp2

/// The server's side of a connection: requests come as events, answers go out.
///
/// A request is `headers`, then `data` and perhaps `trailers`. An answer is `submitResponse`, then
/// `sendData` and `submitTrailers`; all may be called at once, in that order. When the answer ends
/// before the request has, the client is told to stop (RST_STREAM with NO_ERROR).
public final class HTTP2ServerSession: HTTP2Session {
  /// SETTINGS (streams, window, header list size) are ready for `send`.
  /// Throws `.configuration` for a value out of range, `.library` for want of memory.
  public init(configuration: HTTP2Configuration = .init()) throws(HTTP2Error) {
    try super.init(configuration: configuration, isServer: true)
  }

  /// Answers with `fields`, `:status` first. With `endStream` that is the whole answer (gRPC's
  /// Trailers-Only). Ignored when the stream is closed.
  public func submitResponse(_ stream: StreamID, _ fields: HeaderList, endStream: Bool) {
    guard streams[stream] != nil else { return }
    var source = unsafe Self.bodySource()
    let code = unsafe fields.withNameValueArray { array, count in
      unsafe withUnsafePointer(to: &source) { provider in
        unsafe nghttp2_submit_response(pointer, stream, array, count, endStream ? nil : provider)
      }
    }
    if code != 0 { reset(stream, errorCode: .internalError) }
  }

  /// The same with a list that is not put together yet.
  public func submitResponse(_ stream: StreamID, _ fields: [HeaderField], endStream: Bool) {
    submitResponse(stream, HeaderList(fields), endStream: endStream)
  }

  /// Ends the answer with trailers, once the bytes given before are sent.
  public func submitTrailers(_ stream: StreamID, _ fields: HeaderList) {
    continueBody(stream, [], .trailers(fields))
  }

  /// The same with a list that is not put together yet.
  public func submitTrailers(_ stream: StreamID, _ fields: [HeaderField]) {
    submitTrailers(stream, HeaderList(fields))
  }

  /// The first step of a graceful end: GOAWAY with 2^31-1, upon which the client opens no more
  /// streams, but those on their way are served. Call `goAway` a round trip later.
  public func announceShutdown() {
    unsafe nghttp2_submit_shutdown_notice(pointer)
  }
}
