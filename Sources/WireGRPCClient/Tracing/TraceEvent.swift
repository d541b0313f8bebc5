public import WireGRPC

/// An event of a channel or of a call, for ``ChannelConfiguration/trace``.
public struct TraceEvent: Sendable {
  /// A header as it was on the wire, with `<redacted>` in place of credentials.
  public struct Header: Sendable, Hashable {
    /// The name in lower case; `:path` and the like for pseudo-headers.
    public var name: String
    /// The value, or `<redacted>`.
    public var value: String

    /// Creates a header as it is shown.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Which side sent a frame.
  public enum Direction: Sendable {
    /// The client sent it.
    case sent
    /// The peer sent it.
    case received
  }

  /// The kind of the event, with its data.
  public enum Step: Sendable {
    /// The name is being resolved.
    case resolving(host: String)
    /// The name has these addresses.
    case resolved(host: String, addresses: [String])
    /// The name server did not answer; the addresses of its last answer are dialed.
    case resolveFailed(host: String, reason: String)
    /// A connection to this address is being opened.
    case connecting(address: String)
    /// The TCP or unix connection is open.
    case connected(address: String)
    /// One address failed; others may follow.
    case connectFailed(address: String, reason: String)
    /// The proxy connected to the target, "host:port"; later traffic runs through it.
    case tunneled(target: String)
    /// The TLS handshake is complete. `version` is "TLSv1.3", `peer` the subject of the
    /// certificate; `isResumed` is true if an earlier session was resumed.
    case tls(version: String, cipher: String, alpn: String, peer: String, isResumed: Bool)
    /// The peer's SETTINGS arrived: calls can be sent.
    case ready(address: String, maxConcurrentStreams: Int)
    /// The request headers were sent.
    case requestHeaders([Header])
    /// A request message of this size, without its five-byte prefix.
    case requestMessage(bytes: Int)
    /// 1xx headers, which have no effect.
    case informational([Header])
    /// The response headers arrived.
    case responseHeaders([Header])
    /// A response message, with its size on the wire. `decompressed` equals `bytes` if the message is not
    /// compressed. Otherwise it is nil, because the message is decompressed after this event.
    case responseMessage(bytes: Int, decompressed: Int?)
    /// The trailers arrived.
    case trailers([Header])
    /// An HTTP/2 frame in words: "HEADERS stream=1 length=120 END_HEADERS".
    case frame(Direction, String)
    /// The peer sent GOAWAY.
    case goAway(lastStreamID: Int, errorCode: Int, debugData: String)
    /// The server was pinged too often. Later connections send a ping after this time without
    /// traffic, which is twice the previous time.
    case keepaliveSlowed(to: Duration)
    /// A call is sent again, on any connection, because the peer did not process it.
    case transparentRetry(reason: String)
    /// An attempt failed; another follows after the delay. Attempts are numbered from 1.
    case retry(attempt: Int, failure: FailedAttempt)
    /// An attempt failed with a retryable code, but is not retried for this reason.
    case notRetried(reason: String)
    /// The call is over.
    case finished(StatusCode)
    /// The connection is closed.
    case closed(reason: String)
  }

  /// When the event occurred.
  public var time: ContinuousClock.Instant
  /// The number of the call on its channel, from 1; nil if the event is not about a call. A frame
  /// of a stream has the number of the stream's call.
  public var call: UInt64?
  /// The `:path` of the call, "/maps.fleetengine.v1.TripService/GetTrip"; nil if `call` is nil.
  public var path: String?
  /// The kind of the event, with its data.
  public var step: Step

  /// Creates an event from its properties.
  public init(time: ContinuousClock.Instant, call: UInt64?, path: String? = nil, step: Step) {
    self.time = time
    self.call = call
    self.path = path
    self.step = step
  }
}
