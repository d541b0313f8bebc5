@testable import WireGRPCServer

extension ServerLimits {
  /// The default limits, but clients may take an hour for everything: on a busy machine a test may
  /// have to wait long between two of its steps.
  static var patient: ServerLimits {
    var limits = ServerLimits()
    for time in [
      \ServerLimits.handshakeTime, \.requestTime, \.conversationTime, \.stallTime, \.silenceTime,
      \.pingTime, \.idleTime,
    ] {
      limits[keyPath: time] = .seconds(3600)
    }
    return limits
  }
}
