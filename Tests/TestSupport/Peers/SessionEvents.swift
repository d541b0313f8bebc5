public import WireHTTP2

/// The events of a session, by kind; body bytes are joined.
public struct SessionEvents {
  public var settings: [HTTP2Settings] = []
  public var informational: [[HeaderField]] = []
  public var headers: [[HeaderField]] = []
  public var body: [UInt8] = []
  public var trailers: [[HeaderField]] = []
  /// Streams that can send more of their body.
  public var drained: [StreamID] = []
  /// Streams that the peer ended with END_STREAM.
  public var ended: [StreamID] = []
  public var closures: [StreamClosure] = []
  public var goAways: [(last: StreamID, code: HTTP2ErrorCode, debug: String)] = []
  public var pings: [UInt64] = []
  public var frames: [String] = []
  public var failures: [HTTP2Error] = []

  public init() {}

  public mutating func record(_ event: HTTP2Event) {
    switch event {
    case .settings(let it): settings.append(it)
    case .informational(_, let fields): informational.append(fields)
    case .headers(let stream, let fields, let endStream):
      headers.append(fields)
      if endStream { ended.append(stream) }
    case .data(let stream, let bytes, let endStream):
      body += bytes
      if endStream { ended.append(stream) }
    case .bodyDrained(let stream): drained.append(stream)
    case .trailers(let stream, let fields):
      trailers.append(fields)
      ended.append(stream)
    case .streamClosed(_, let closure): closures.append(closure)
    case .goAway(let last, let code, let debug):
      goAways.append((last, code, String(decoding: debug, as: UTF8.self)))
    case .pingAcknowledged(let opaque): pings.append(opaque)
    case .frameReceived(let frame): frames.append("< \(frame)")
    case .frameSent(let frame): frames.append("> \(frame)")
    case .failed(let error): failures.append(error)
    }
  }
}
