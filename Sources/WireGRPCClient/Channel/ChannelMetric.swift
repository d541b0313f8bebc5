public import WireGRPC

/// Something that happened on a channel and is worth counting, as seen by
/// ``ChannelConfiguration/metrics``.
public enum ChannelMetric: Sendable {
  case callStarted(path: String, kind: MethodKind)
  /// An attempt failed, and there will be another.
  case callRetried(path: String, failure: FailedAttempt)
  case callEnded(CallMeasures)
  /// The peer's SETTINGS came, so long after the dial.
  case connectionOpened(address: String, after: Duration)
  /// No connection to this address.
  case connectionFailed(address: String, ConnectionFailure)
  /// A connection that was open is over, so long after the dial.
  case connectionClosed(address: String, reason: String, after: Duration)
}

/// What a call took.
public struct CallMeasures: Sendable, Hashable {
  /// "/maps.fleetengine.v1.TripService/GetTrip".
  public var path: String
  public var kind: MethodKind
  public var code: StatusCode
  /// From the call to its end, with interceptors and all attempts.
  public var duration: Duration
  /// How many times it was sent.
  public var attempts: Int
  public var messagesSent: Int
  /// Of the messages as they are on the wire, without prefixes and headers; those of other attempts
  /// count once.
  public var bytesSent: Int
  public var messagesReceived: Int
  public var bytesReceived: Int
}
