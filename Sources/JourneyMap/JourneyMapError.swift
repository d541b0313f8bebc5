/// Why a map cannot be served.
public struct JourneyMapError: Error, Hashable, CustomStringConvertible {
  /// The failure and its reason: "cannot listen on 127.0.0.1:8080: Address already in use"
  public let message: String
  /// One action that helps.
  public let hint: String

  init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }

  /// The failure, and the hint in parentheses.
  public var description: String { "\(message) (\(hint))" }
}
