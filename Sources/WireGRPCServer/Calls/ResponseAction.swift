package import WireHTTP2

/// One thing that a server sends on a stream.
package enum ResponseAction: Equatable {
  case headers(HeaderList)
  /// A message with its length prefix.
  case message([UInt8])
  case trailers(HeaderList)
  /// The only header list of the response (Trailers-Only).
  case trailersOnly(HeaderList)
  /// Bytes of the body. `frames` has the sizes of the first DATA frames; the rest goes into one
  /// more.
  case data([UInt8], frames: [Int], endStream: Bool)
  case control(ControlAction)
}

/// Something sent outside of a response, once all that came before it on the stream is sent.
package enum ControlAction: Equatable {
  /// RST_STREAM.
  case reset(HTTP2ErrorCode)
  /// - Parameter last: the last stream that is processed; the last one received if nil.
  case goAway(last: StreamID?, HTTP2ErrorCode, debug: [UInt8])
  case ping
  case frame(RawFrame)
  /// Closes the connection.
  case close
}
