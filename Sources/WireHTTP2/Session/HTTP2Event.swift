/// What the bytes given to a session meant, in the order they meant it.
public enum HTTP2Event: Sendable {
  /// The peer's SETTINGS, the first of which means that the connection is ready.
  case settings(HTTP2Settings)
  /// A 1xx answer, to be skipped or shown; the final headers follow. Client only.
  case informational(StreamID, [HeaderField])
  /// A client gets the answer's final headers, a server a request's.
  /// With `endStream` nothing follows; in gRPC such an answer is Trailers-Only.
  case headers(StreamID, [HeaderField], endStream: Bool)
  /// Bytes of the body; DATA frames that arrived together may be one event. An empty one only
  /// says `endStream`. Hand `count` back with `consume` once they are dealt with, even
  /// when the stream has ended or was reset: the connection's window is shared, and a reader that
  /// is slow should hold up its own stream alone (`consumeConnection`, `consumeStream`).
  /// Storage is reused for the next bytes unless the slice is kept.
  case data(StreamID, ArraySlice<UInt8>, endStream: Bool)
  /// Less than `HTTP2Configuration.bodyLowWater` of a body that goes on waits to be sent, where more
  /// had waited: time to give more of it.
  case bodyDrained(StreamID)
  /// The headers after the body. They always end the stream.
  case trailers(StreamID, [HeaderField])
  /// The stream is over, said exactly once for each stream that a client submitted or whose
  /// headers a server was given. Nothing follows for it.
  case streamClosed(StreamID, StreamClosure)
  /// The peer opens no more streams and answers none above `lastStreamID`, each of which is then
  /// closed as `unprocessed`. A first one with 2^31-1 announces a second (RFC 9113 §6.8).
  case goAway(lastStreamID: StreamID, errorCode: HTTP2ErrorCode, debugData: [UInt8])
  /// The answer to `ping(_:)`.
  case pingAcknowledged(UInt64)
  /// A frame came in; only when tracing.
  case frameReceived(HTTP2Frame)
  /// A frame was put out; only when tracing.
  case frameSent(HTTP2Frame)
  /// The connection is lost, said at most once. Call `send` a last time, as it may hold the GOAWAY
  /// which tells the peer why, write what it gives and close. Streams still open get no closure.
  indirect case failed(HTTP2Error)
}

/// How a stream came to its end.
public enum StreamClosure: Sendable, Hashable {
  /// Both sides said all they had; or the server its whole answer, which ends the request too.
  case finished
  /// The peer reset it. With `refusedStream` it did not act on it, with `noError` on a client
  /// it needs no more of the request: look whether trailers had come.
  case resetByPeer(HTTP2ErrorCode)
  /// `reset(_:errorCode:)` was called.
  case resetLocally(HTTP2ErrorCode)
  /// The peer broke a rule or a limit on this stream, which we then reset with the error's `code`.
  indirect case violation(HTTP2Error)
  /// A GOAWAY came before it: the peer has not and will not act on it, so it may be sent elsewhere.
  case unprocessed
  /// Its headers could not be sent; the peer knows nothing of it.
  indirect case notSent(HTTP2Error)
}

/// The peer's SETTINGS (RFC 9113 §6.5.2); `UInt32.max` where it sets no limit.
public struct HTTP2Settings: Sendable, Hashable {
  public var headerTableSize: UInt32
  public var maxConcurrentStreams: UInt32
  public var initialWindowSize: UInt32
  public var maxFrameSize: UInt32
  public var maxHeaderListSize: UInt32
}
