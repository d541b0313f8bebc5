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
