extension CallError {
  /// What a call fails with when something on this side fails that it needs before it is sent.
  ///
  /// An error that looks like an answer of the server's keeps its code only if that cannot be taken
  /// for one: all others become INTERNAL (gRFC A54).
  ///
  /// - Parameter who: failed: "the token provider".
  package init(from who: String, _ error: any Error) {
    let callError = error as? CallError
    if let callError, !callError.code.isForServers {
      self = .local(callError.code, "\(who) failed: \(callError.message)")
    } else {
      self = .local(.internal, "\(who) failed: \(error)")
    }
    underlyingError = callError?.underlyingError ?? error
  }
}

extension StatusCode {
  /// Whether only servers may end a call with it, or nobody, as it is no failure.
  fileprivate var isForServers: Bool {
    switch self {
    case .ok, .invalidArgument, .notFound, .alreadyExists, .failedPrecondition, .aborted,
      .outOfRange, .dataLoss:
      true
    default:
      // What has no name is nobody's to give.
      !StatusCode.names.indices.contains(rawValue)
    }
  }
}
