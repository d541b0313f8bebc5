/// An attempt that failed and was followed by another.
public struct FailedAttempt: Sendable, Hashable {
  public var code: StatusCode
  public var message: String
  /// The address that received the attempt; nil if none did.
  public var peer: String?
  /// The time from the end of the attempt to the next one; zero if the server had not acted on it.
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
