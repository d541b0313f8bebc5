/// An attempt that failed and was followed by another.
public struct FailedAttempt: Sendable, Hashable {
  /// The status code of the attempt.
  public var code: StatusCode
  /// The message of the status; may be empty.
  public var message: String
  /// The address that received the attempt; nil if none did.
  public var peer: String?
  /// The time from the end of the attempt to the next one; zero if the server had not acted on it.
  public var delay: Duration

  /// Creates a description of a failed attempt from its properties.
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
