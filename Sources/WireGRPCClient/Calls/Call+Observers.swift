import WireGRPC

// Events for observers. They are reported on the loop, except those of calls that never reach it.

extension Call {
  func report(_ event: CallEvent) {
    request.observers.report(event)
  }

  /// Reports the start, and the request of a unary call, which is complete from the start.
  func reportStart() {
    report(.start(metadata: request.metadata, timeout: request.timeout))
    if case .exchange = request.caller { return }
    reportRequest(request.body, isLast: true)
  }

  func reportRequest(_ frames: [UInt8], isLast: Bool) {
    request.observers.reportRequest(MessageFramer.messages(in: frames), isLast: isLast)
  }

  func reportEnd(_ result: Result<Metadata, CallError>) {
    report(
      .end(
        result.mapError { error in
          var error = error
          error.path = request.path
          error.attempts = attempts
          return error
        }))
  }
}

extension [@Sendable (CallEvent) -> Void] {
  /// Reports all events of a call that never reaches the loop.
  ///
  /// - Parameters:
  ///   - messages: the messages that the caller has sent.
  ///   - isLast: whether the request is complete.
  func reportRefusal(
    of path: String, start: CallEvent, _ messages: [MessageDeframer.Message], isLast: Bool,
    _ error: CallError
  ) {
    guard !isEmpty else { return }
    var error = error
    error.path = path
    report(start)
    reportRequest(messages, isLast: isLast)
    report(.end(.failure(error)))
  }

  fileprivate func reportRequest(_ messages: [MessageDeframer.Message], isLast: Bool) {
    for message in messages { report(.requestMessage(CallMessage(message: message, limit: .max))) }
    if isLast { report(.requestEnd) }
  }

  fileprivate func report(_ event: CallEvent) {
    for observer in self { observer(event) }
  }
}
