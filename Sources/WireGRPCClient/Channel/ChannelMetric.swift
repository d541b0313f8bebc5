public import WireGRPC

/// A measurable event of a channel, for ``ChannelConfiguration/metrics``.
public enum ChannelMetric: Sendable {
  case callStarted(path: String, kind: MethodKind)
  /// An attempt failed and another follows.
  case callRetried(path: String, failure: FailedAttempt)
  case callEnded(CallMeasurements)
  /// The peer's SETTINGS arrived, this long after the start of the attempt.
  case connectionOpened(address: String, after: Duration)
  /// An attempt to connect to this address failed.
  case connectionFailed(address: String, ConnectionFailure)
  /// An established connection closed, this long after the start of the attempt.
  case connectionClosed(address: String, reason: String, after: Duration)
}

/// The measurements of a call.
public struct CallMeasurements: Sendable, Hashable {
  /// "/maps.fleetengine.v1.TripService/GetTrip".
  public var path: String
  public var kind: MethodKind
  public var code: StatusCode
  /// The time from start to end, including interceptors and all attempts.
  public var duration: Duration
  /// The number of times the call was sent.
  public var attempts: Int
  public var messagesSent: Int
  /// The bytes of request messages on the wire, without prefixes and headers. Messages of several
  /// attempts count once.
  public var bytesSent: Int
  public var messagesReceived: Int
  public var bytesReceived: Int
}
