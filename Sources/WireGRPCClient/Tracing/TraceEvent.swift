public import WireGRPC

/// One step of a channel or of a call, as seen by ``ChannelConfiguration/trace``.
public struct TraceEvent: Sendable {
  /// A header as it went over the wire, or "<redacted>" in place of a secret value.
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
    /// The name server could not be asked; the addresses that it gave last are dialled.
    case resolveFailed(host: String, reason: String)
    case connecting(address: String)
    case connected(address: String)
    /// One address failed; others may follow.
    case connectFailed(address: String, reason: String)
    /// The proxy has opened the way to the target, "host:port"; what follows goes through it.
    case tunnelled(target: String)
    /// The handshake is done. The version is "TLSv1.3", the peer its certificate's subject; resumed
    /// says that it went on from an earlier connection.
    case tls(version: String, cipher: String, alpn: String, peer: String, isResumed: Bool)
    /// The peer's SETTINGS came: calls may go out.
    case ready(address: String, maxConcurrentStreams: Int)
    case requestHeaders([Header])
    /// A request message of so many bytes, without its five-byte prefix.
    case requestMessage(bytes: Int)
    /// 1xx headers, which change nothing.
    case informational([Header])
    case responseHeaders([Header])
    /// A response message of so many bytes on the wire, and decompressed; nil where that is not known
    /// yet, as messages are left compressed until they are read.
    case responseMessage(bytes: Int, decompressed: Int?)
    case trailers([Header])
    /// An HTTP/2 frame in words: "HEADERS stream=1 length=120 END_HEADERS".
    case frame(Direction, String)
    /// The peer asked us to go away.
    case goAway(lastStreamID: Int, errorCode: Int, debugData: String)
    /// The server was pinged too often: connections made from now on wait for this long a silence
    /// before they ping, twice as long as before.
    case keepaliveSlowed(to: Duration)
    /// A call moves to another connection, since the peer never saw it.
    case transparentRetry(reason: String)
    /// An attempt of a call failed, and after the delay there is another. Counts them from 1.
    case retry(attempt: Int, failure: FailedAttempt)
    /// A failure that the call's policy would have it tried again after, and why it is not.
    case notRetried(reason: String)
    /// The call is over.
    case finished(StatusCode)
    /// The connection is over.
    case closed(reason: String)
  }

  public var time: ContinuousClock.Instant
  /// The number of the call, which counts the calls of a channel from 1; nil when the step is not about
  /// a call. A frame of a stream has the number of the stream's call.
  public var call: UInt64?
  /// The `:path` of the call, "/maps.fleetengine.v1.TripService/GetTrip"; nil when `call` is.
  public var path: String?
  public var step: Step

  public init(time: ContinuousClock.Instant, call: UInt64?, path: String? = nil, step: Step) {
    self.time = time
    self.call = call
    self.path = path
    self.step = step
  }
}
