/// Who sends how many messages on a method's calls.
public enum MethodKind: Sendable, Hashable {
  case unary
  case serverStreaming
  case clientStreaming
  case bidirectional

  /// Whether the answer is one message, no more and no less.
  package var wantsOneMessage: Bool { self == .unary || self == .clientStreaming }
}

extension MethodDescriptor {
  /// Why the method cannot be called like this: it is of another kind.
  package func refusal(of wanted: MethodKind) -> CallError? {
    guard kind != wanted else { return nil }
    var error = CallError.local(
      .unimplemented, "the method must be called with Channel.\(kind), not Channel.\(wanted)")
    error.path = path
    return error
  }
}
