@testable import WireGRPCServer

extension ServerLimits {
  /// The default limits with time limits of an hour, because a test may be slow on a busy machine.
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
