import CNghttp2

/// The server's side of a connection: events report requests, and it sends responses.
///
/// A request is `headers`, then `data` and perhaps `trailers`. A response is `submitResponse`, then
/// `sendData` and `submitTrailers`; all may be called at once, in that order. If the response ends before
/// the request, the client is asked to stop (RST_STREAM with NO_ERROR).
public final class HTTP2ServerSession: HTTP2Session {
  /// Prepares SETTINGS (streams, window, header list size) for `send`.
  /// Throws `.configuration` for a value out of range, `.library` without memory.
  public init(configuration: HTTP2Configuration = .init()) throws(HTTP2Error) {
    try super.init(configuration: configuration, isServer: true)
  }

  /// Sends a response with `fields`, `:status` first. With `endStream` the response is complete (gRPC's
  /// Trailers-Only). Ignored if the stream is closed.
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

  /// Ends the response with trailers, after the bytes given before.
  public func submitTrailers(_ stream: StreamID, _ fields: HeaderList) {
    continueBody(stream, [], .trailers(fields))
  }

  /// Starts a graceful end: GOAWAY with 2^31-1, after which the client opens no more streams. Streams that
  /// are on their way are still served. Call `goAway` a round trip later.
  public func announceShutdown() {
    unsafe nghttp2_submit_shutdown_notice(pointer)
  }
}
