import WireGRPC

// What observers are told, on the loop but for calls that never get there. Without any nothing is made
// for them.

extension Call {
  func tell(_ event: CallEvent) {
    request.observers.tell(event)
  }

  /// With the request of a unary call, which is there from the start.
  func tellStart() {
    tell(.start(metadata: request.metadata, timeout: request.timeout))
    if case .waiter = request.caller { tellRequest(request.body, isLast: true) }
  }

  func tellRequest(_ frames: [UInt8], isLast: Bool) {
    request.observers.tellRequest(MessageFramer.messages(in: frames), isLast: isLast)
  }

  func tellEnd(_ result: Result<Metadata, CallError>) {
    tell(
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
  /// All there is to tell of a call that never comes to the loop.
  ///
  /// - Parameters:
  ///   - messages: what its caller has given; with `isLast` that is all.
  func tellRefusal(
    of path: String, start: CallEvent, _ messages: [MessageDeframer.Message], isLast: Bool,
    _ error: CallError
  ) {
    guard !isEmpty else { return }
    var error = error
    error.path = path
    tell(start)
    tellRequest(messages, isLast: isLast)
    tell(.end(.failure(error)))
  }

  fileprivate func tellRequest(_ messages: [MessageDeframer.Message], isLast: Bool) {
    for message in messages { tell(.requestMessage(CallMessage(message: message, limit: .max))) }
    if isLast { tell(.requestEnd) }
  }

  fileprivate func tell(_ event: CallEvent) {
    for observer in self { observer(event) }
  }
}
