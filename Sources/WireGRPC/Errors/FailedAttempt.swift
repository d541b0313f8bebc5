/// An attempt of a call that failed and was followed by another.
public struct FailedAttempt: Sendable, Hashable {
  public var code: StatusCode
  public var message: String
  /// The address that it went to; nil when it went nowhere.
  public var peer: String?
  /// The time from its end to the next attempt; zero when the server had not acted on it.
  public var delay: Duration

  public init(code: StatusCode, message: String, peer: String? = nil, delay: Duration) {
    self.code = code
    self.message = message
    self.peer = peer
    self.delay = delay
  }
}

extension FailedAttempt: CustomStringConvertible {
  /// "UNAVAILABLE: the connection was lost".
  public var description: String {
    message.isEmpty ? code.description : "\(code): \(message)"
  }
}
