extension CallError {
  /// Creates the error of a call that is not sent because local code failed.
  ///
  /// A ``CallError`` keeps its code unless only servers may return that code. Errors of the network become
  /// UNAVAILABLE. All other errors become INTERNAL (gRFC A54).
  ///
  /// - Parameter who: names the code that failed: "the token provider".
  package init(from who: String, _ error: any Error) {
    let callError = error as? CallError
    if let callError, !callError.code.isReservedForServers {
      self = .local(callError.code, "\(who) failed: \(callError.message)")
      // They may say when to try again.
      details = callError.details
    } else {
      self = .local(error.isOfTheNetwork ? .unavailable : .internal, "\(who) failed: \(error)")
    }
    underlyingError = callError?.underlyingError ?? error
  }
}

extension StatusCode {
  /// Whether only servers may return the code, or nobody may because it is not an error.
  fileprivate var isReservedForServers: Bool {
    switch self {
    case .ok, .invalidArgument, .notFound, .alreadyExists, .failedPrecondition, .aborted,
      .outOfRange, .dataLoss:
      true
    default:
      // Codes without a name may not be set locally.
      !StatusCode.names.indices.contains(rawValue)
    }
  }
}
