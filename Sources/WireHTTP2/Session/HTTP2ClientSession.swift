import CNghttp2

/// The client's side of a connection: requests go out, answers come as events.
public final class HTTP2ClientSession: HTTP2Session {
  /// The preface and SETTINGS (ENABLE_PUSH=0, window, header list size) are ready for `send`.
  /// Throws `.configuration` for a value out of range, `.library` for want of memory.
  public init(configuration: HTTP2Configuration = .init()) throws(HTTP2Error) {
    try super.init(configuration: configuration, isServer: false)
    unsafe nghttp2_session_set_next_stream_id(pointer, configuration.firstStreamID)
  }

  /// The last stream that `submitRequest` opened; 0 before the first.
  public private(set) final var lastSubmittedStream: StreamID = 0

  /// How many streams were submitted before this one.
  public func submittedStreams(before stream: StreamID) -> Int {
    Int(stream - configuration.firstStreamID) / 2
  }

  /// How many streams the peer lets us have open; 100 before its SETTINGS (RFC 9113 §6.5.2).
  public var maxConcurrentStreams: Int {
    remoteSettings.map { Int(clamping: $0.maxConcurrentStreams) } ?? 100
  }

  /// Whether `submitRequest` would take a request now. Keep further calls in a queue of your own:
  /// nghttp2's can neither expire nor move to another connection.
  public var canSubmit: Bool { refusal == nil }

  /// Whether there is no id left for another stream: time for another connection.
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

  /// Opens a stream with `fields` (pseudo-headers first) and `body`. With `endStream` that is the
  /// whole request, else `sendData` continues it. Returns the stream's id, in the order sent.
  ///
  /// Throws `.goingAway`, `.streamLimit` or `.streamIDsExhausted` when `canSubmit` is false, and
  /// `.headerListTooLarge` when the list is above what the peer announced to take, or above
  /// `maxSendHeaderBlockLength`.
  public func submitRequest(
    _ headers: HeaderList, body: [UInt8] = [], endStream: Bool
  ) throws(HTTP2Error) -> StreamID {
    if let refusal { throw refusal }
    let size = headers.size
    if let limit = remoteSettings?.maxHeaderListSize, size > Int(clamping: limit) {
      throw HTTP2Error(
        .headerListTooLarge, "the header list has \(size) octets, the limit of the peer is \(limit)"
      )
    }
    // nghttp2 would take it and fail later; what it counts is less than this.
    guard size <= configuration.maxSendHeaderBlockLength else {
      throw HTTP2Error(
        .headerListTooLarge,
        "the header list has \(size) octets, our limit is \(configuration.maxSendHeaderBlockLength)"
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

  /// The same with the fields one by one.
  public func submitRequest(
    _ fields: [HeaderField], body: [UInt8] = [], endStream: Bool
  ) throws(HTTP2Error) -> StreamID {
    try submitRequest(HeaderList(fields), body: body, endStream: endStream)
  }
}
