public import WireGRPC

/// A measurable event of a channel, for ``ChannelConfiguration/metrics``.
public enum ChannelMetric: Sendable {
  /// A call started.
  case callStarted(path: String, kind: MethodKind)
  /// An attempt failed and another follows.
  case callRetried(path: String, failure: FailedAttempt)
  /// A call ended, after its last attempt.
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
  /// How many messages each side sends.
  public var kind: MethodKind
  /// The status with which the call ended.
  public var code: StatusCode
  /// The time from start to end, including interceptors and all attempts.
  public var duration: Duration
  /// The number of times the call was sent.
  public var attempts: Int
  /// The number of request messages. Messages of several attempts count once.
  public var messagesSent: Int
  /// The bytes of request messages on the wire, without prefixes and headers. Messages of several
  /// attempts count once.
  public var bytesSent: Int
  /// The number of response messages.
  public var messagesReceived: Int
  /// The bytes of response messages on the wire, without prefixes and headers.
  public var bytesReceived: Int
}
