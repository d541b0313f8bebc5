import WireGRPC

/// The observers of a call.
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

  func reportRequest(_ messages: [MessageDeframer.Message], isLast: Bool) {
    for message in messages { report(.requestMessage(CallMessage(message: message, limit: .max))) }
    if isLast { report(.requestEnd) }
  }
}
