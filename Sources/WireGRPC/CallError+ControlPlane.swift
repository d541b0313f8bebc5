extension CallError {
  /// What a call fails with when something on this side fails that it needs before it is sent.
  ///
  /// An error that looks like an answer of the server's keeps its code only if that cannot be taken
  /// for one: all others become INTERNAL (gRFC A54).
  ///
  /// - Parameters:
  ///   - who: failed: "the token provider".
  ///   - code: for an error that has none of its own.
  package init(from who: String, _ error: any Error, otherwise code: StatusCode) {
    let own = (error as? CallError)?.code
    self = .local(
      own.map { $0.isForServers ? .internal : $0 } ?? code, "\(who) failed: \(error)")
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
