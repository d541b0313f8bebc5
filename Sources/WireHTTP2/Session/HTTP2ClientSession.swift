import CNghttp2

/// The client's side of a connection: it sends requests, and events report responses.
public final class HTTP2ClientSession: HTTP2Session {
  /// Prepares the preface and SETTINGS (ENABLE_PUSH=0, window, header list size) for `send`.
  /// Throws `.configuration` for a value out of range, `.library` without memory.
  public init(configuration: HTTP2Configuration = .init()) throws(HTTP2Error) {
    try super.init(configuration: configuration, isServer: false)
    unsafe nghttp2_session_set_next_stream_id(pointer, configuration.firstStreamID)
  }

  /// The last stream that `submitRequest` opened; 0 before the first.
  public private(set) final var lastSubmittedStream: StreamID = 0

  /// The number of streams submitted before this one.
  public func submittedStreams(before stream: StreamID) -> Int {
    Int(stream - configuration.firstStreamID) / 2
  }

  /// The number of streams that the peer allows at a time; 100 before its SETTINGS (RFC 9113 §6.5.2).
  public var maxConcurrentStreams: Int {
    remoteSettings.map { Int(clamping: $0.maxConcurrentStreams) } ?? 100
  }

  /// Whether `submitRequest` would accept a request now. Keep further calls in a queue of your own:
  /// those in nghttp2's queue can neither expire nor move to another connection.
  public var canSubmit: Bool { refusal == nil }

  /// Whether all stream ids are used, so that a new connection is needed.
  public var hasUsedUpStreamIDs: Bool {
    unsafe nghttp2_session_get_next_stream_id(pointer) > UInt32(Int32.max)
  }

  private var refusal: HTTP2Error? {
    if let failure { return failure }
    if hasUsedUpStreamIDs {
      return HTTP2Error(.streamIDsExhausted, "the connection has used up its stream ids")
    }
    if unsafe goAwaySubmitted != nil || nghttp2_session_check_request_allowed(pointer) == 0 {
      return HTTP2Error(.goingAway, "the connection accepts no new streams")
    }
    guard activeStreams < maxConcurrentStreams else {
      return HTTP2Error(.streamLimit, "the peer allows \(maxConcurrentStreams) streams at a time")
    }
    return nil
  }

  /// Opens a stream with `fields` (pseudo-headers first) and `body`. With `endStream` the request is
  /// complete, else `sendData` continues it. Returns the stream's id. Ids are sent in this order.
  ///
  /// Throws `.goingAway`, `.streamLimit` or `.streamIDsExhausted` if `canSubmit` is false, and
  /// `.headerListTooLarge` if the list exceeds the peer's announced limit or `maxSendHeaderBlockLength`.
  public func submitRequest(
    _ headers: HeaderList, body: [UInt8] = [], endStream: Bool
  ) throws(HTTP2Error) -> StreamID {
    if let refusal { throw refusal }
    let size = headers.size
    if let limit = remoteSettings?.maxHeaderListSize, size > Int(clamping: limit) {
      throw HTTP2Error(
        .headerListTooLarge, "the header list has \(size) octets; the limit of the peer is \(limit)"
      )
    }
    // nghttp2 would accept it and fail later. Its own count is smaller than this one.
    guard size <= configuration.maxSendHeaderBlockLength else {
      throw HTTP2Error(
        .headerListTooLarge,
        "the header list has \(size) octets; the limit of this client is"
          + " \(configuration.maxSendHeaderBlockLength)"
      )
    }
    let outbound = OutboundBody()
    outbound.append(body, end: endStream ? .endStream : .open)
    let headersOnly = body.isEmpty && endStream
    var source = unsafe Self.bodySource()
    let stream = unsafe headers.withNameValueArray { array, count in
      unsafe withUnsafePointer(to: &source) { provider in
        unsafe nghttp2_submit_request(
          pointer, nil, array, count, headersOnly ? nil : provider, nil)
      }
    }
    guard stream > 0 else { throw .library(stream, "the request could not be made") }
    streams[stream] = outbound
    lastSubmittedStream = stream
    return stream
  }
}
