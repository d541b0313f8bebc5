/// An event of a session. Events are in the order of the bytes that caused them.
public enum HTTP2Event: Sendable {
  /// The peer's SETTINGS. The first ones mean that the connection is ready.
  case settings(HTTP2Settings)
  /// A 1xx response, before the final headers. Client only.
  case informational(StreamID, [HeaderField])
  /// The final headers of a response for a client, and those of a request for a server.
  /// With `endStream` nothing follows; in gRPC such a response is Trailers-Only.
  case headers(StreamID, [HeaderField], endStream: Bool)
  /// Bytes of the body; DATA frames that arrived together may be one event. An empty one only reports
  /// `endStream`. Return `count` with `consume` once the bytes are processed, even if the stream has
  /// ended or was reset: the connection's window is shared, and a slow reader should delay only its own
  /// stream (`consumeConnection`, `consumeStream`).
  /// The storage is reused for the next bytes unless the slice is kept.
  case data(StreamID, ArraySlice<UInt8>, endStream: Bool)
  /// Fewer than `HTTP2Configuration.bodyLowWater` octets of an unfinished body are waiting, and more were
  /// waiting before: the stream can take more.
  case bodyDrained(StreamID)
  /// The headers after the body. They end the stream.
  case trailers(StreamID, [HeaderField])
  /// The end of a stream, reported exactly once for each stream that a client submitted or whose headers
  /// a server received. It is the last event of the stream.
  case streamClosed(StreamID, StreamClosure)
  /// The peer opens no more streams and processes none above `lastStreamID`; each of those is then closed
  /// as `unprocessed`. A first one with 2^31-1 announces a second (RFC 9113 §6.8).
  case goAway(lastStreamID: StreamID, errorCode: HTTP2ErrorCode, debugData: [UInt8])
  /// The acknowledgment of `ping(_:)`.
  case pingAcknowledged(UInt64)
  /// A frame was received; reported with tracing only.
  case frameReceived(HTTP2Frame)
  /// A frame was sent; reported with tracing only.
  case frameSent(HTTP2Frame)
  /// The connection has failed, reported at most once. Call `send` once more, because it may hold the
  /// GOAWAY with the reason, write its output, and close. Open streams get no `streamClosed`.
  indirect case failed(HTTP2Error)
}

/// How a stream ended.
public enum StreamClosure: Sendable, Hashable {
  /// Both sides completed it, or the server completed its response, which ends the request, too.
  case finished
  /// The peer reset it. With `refusedStream` the peer did not process it. With `noError` on a client the
  /// server needs no more of the request, and may have sent trailers before.
  case resetByPeer(HTTP2ErrorCode)
  /// `reset(_:errorCode:)` was called.
  case resetLocally(HTTP2ErrorCode)
  /// The peer broke a rule or a limit on this stream, which was then reset with the error's `code`.
  indirect case violation(HTTP2Error)
  /// A GOAWAY came before it: the peer has not processed it and will not, so it may be retried.
  case unprocessed
  /// Its headers could not be sent; the peer does not know it.
  indirect case notSent(HTTP2Error)
}

/// The peer's SETTINGS (RFC 9113 §6.5.2); `UInt32.max` without a limit.
public struct HTTP2Settings: Sendable, Hashable {
  /// SETTINGS_HEADER_TABLE_SIZE, in bytes.
  public var headerTableSize: UInt32
  /// SETTINGS_MAX_CONCURRENT_STREAMS.
  public var maxConcurrentStreams: UInt32
  /// SETTINGS_INITIAL_WINDOW_SIZE, in bytes.
  public var initialWindowSize: UInt32
  /// SETTINGS_MAX_FRAME_SIZE, in bytes.
  public var maxFrameSize: UInt32
  /// SETTINGS_MAX_HEADER_LIST_SIZE, in bytes.
  public var maxHeaderListSize: UInt32
}
