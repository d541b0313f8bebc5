// What observers are told, all of it on the loop but the end of a call that never got there. Without
// any nothing is made for them.

extension Call {
  func tell(_ event: CallEvent) {
    for observer in request.observers { observer(event) }
  }

  func tellStart() {
    tell(.start(metadata: request.metadata, timeout: request.timeout))
  }

  /// The request of a unary call, which is there from the start; with the first attempt.
  func tellUnaryRequest() {
    guard case .waiter = request.caller, earlierAttempts.isEmpty, attempts == 0 else { return }
    tellRequest(request.body, isLast: true)
  }

  func tellRequest(_ frames: [UInt8], isLast: Bool) {
    for message in MessageFramer.messages(in: frames) {
      tell(.requestMessage(observable(message, limit: .max)))
    }
    if isLast { tell(.requestEnd) }
  }

  func observable(_ message: MessageDeframer.Message, limit: Int? = nil) -> CallMessage {
    CallMessage(message: message, limit: limit ?? request.maxReceiveMessageSize)
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

extension CallError {
  /// Tells the end of a call that never came to the loop.
  func tell(_ observers: [@Sendable (CallEvent) -> Void], path: String) {
    guard !observers.isEmpty else { return }
    var error = self
    error.path = path
    for observer in observers { observer(.end(.failure(error))) }
  }
}
