import WireGRPC

struct CallObservers: Sendable {
  private let observers: [@Sendable (CallEvent) -> Void]
  /// Delays the end of the call for the observers; nil if they receive it at once.
  private let completion: CallCompletion?

  init(
    _ observers: [@Sendable (CallEvent) -> Void] = [], completion: CallCompletion? = nil
  ) {
    self.observers = observers
    self.completion = completion
  }

  var isEmpty: Bool { observers.isEmpty }

  func report(_ event: CallEvent) {
    if case .end(let result) = event, let completion {
      completion.receive(event, result, for: self)
    } else {
      deliver(event)
    }
  }

  /// Passes on an event without delay.
  func deliver(_ event: CallEvent) {
    for observer in observers { observer(event) }
  }
}

// Events are reported on the loop, except those of calls that never reach it.

extension CallRequest {
  /// Reports the start, and the request of a unary call, which is complete from the start.
  func reportStart() {
    observers.report(.start(metadata: metadata, timeout: timeout))
    if case .exchange = caller { return }
    reportRequest(body, isLast: true)
  }

  func reportRequest(_ frames: [UInt8], isLast: Bool) {
    for message in MessageFramer.messages(in: frames) {
      observers.report(.requestMessage(CallMessage(message: message, limit: .max)))
    }
    if isLast { observers.report(.requestEnd) }
  }

  func reportEnd(_ result: Result<Metadata, CallError>, attempts: Int) {
    observers.report(
      .end(
        result.mapError { error in
          var error = error
          error.path = path
          error.attempts = attempts
          return error
        }))
  }
}
