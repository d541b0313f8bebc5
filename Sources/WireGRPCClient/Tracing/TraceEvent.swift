public import WireGRPC

/// An event of a channel or of a call, for ``ChannelConfiguration/trace``.
public struct TraceEvent: Sendable {
  /// A header as it was on the wire, with `<redacted>` in place of credentials.
  public struct Header: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public enum Direction: Sendable {
    case sent
    case received
  }

  public enum Step: Sendable {
    case resolving(host: String)
    case resolved(host: String, addresses: [String])
    /// The name server did not answer; the addresses of its last answer are dialed.
    case resolveFailed(host: String, reason: String)
    case connecting(address: String)
    case connected(address: String)
    /// One address failed; others may follow.
    case connectFailed(address: String, reason: String)
    /// The proxy connected to the target, "host:port"; later traffic runs through it.
    case tunneled(target: String)
    /// The TLS handshake is complete. `version` is "TLSv1.3", `peer` the subject of the
    /// certificate; `isResumed` tells whether an earlier session was resumed.
    case tls(version: String, cipher: String, alpn: String, peer: String, isResumed: Bool)
    /// The peer's SETTINGS arrived: calls can be sent.
    case ready(address: String, maxConcurrentStreams: Int)
    case requestHeaders([Header])
    /// A request message of this size, without its five-byte prefix.
    case requestMessage(bytes: Int)
    /// 1xx headers, which have no effect.
    case informational([Header])
    case responseHeaders([Header])
    /// A response message: its size on the wire and after decompression. `decompressed` is nil
    /// for a compressed message, because it is decompressed only after this event, when it is read.
    case responseMessage(bytes: Int, decompressed: Int?)
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

  public var time: ContinuousClock.Instant
  /// The number of the call on its channel, from 1; nil if the event is not about a call. A frame
  /// of a stream has the number of the stream's call.
  public var call: UInt64?
  /// The `:path` of the call, "/maps.fleetengine.v1.TripService/GetTrip"; nil if `call` is nil.
  public var path: String?
  public var step: Step

  public init(time: ContinuousClock.Instant, call: UInt64?, path: String? = nil, step: Step) {
    self.time = time
    self.call = call
    self.path = path
    self.step = step
  }
}
