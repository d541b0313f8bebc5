/// The number of messages that each side of a call sends.
public enum MethodKind: Sendable, Hashable {
  /// One request and one response.
  case unary
  /// One request and any number of responses.
  case serverStreaming
  /// Any number of requests and one response.
  case clientStreaming
  /// Any number of requests and responses, independent of each other.
  case bidirectional

  package var expectsOneMessage: Bool { self == .unary || self == .clientStreaming }
}

extension MethodDescriptor {
  /// Returns the error if the method is of another kind, or nil.
  package func refusal(of wanted: MethodKind) -> CallError? {
    guard kind != wanted else { return nil }
    var error = CallError.local(
      .unimplemented, "the method must be called with Channel.\(kind), not Channel.\(wanted)")
    error.path = path
    return error
  }
}
