import WireIO

/// The connection that a channel makes at present.
enum Dial {
  case none
  /// The timer ends the task.
  case resolving(Task<Void, Never>, LoopTimer)
  case connecting(ConnectAttempt)

  var isActive: Bool {
    if case .none = self { false } else { true }
  }

  var progress: String? {
    switch self {
    case .none: nil
    case .resolving: "its name was being resolved"
    case .connecting(let attempt): attempt.progress
    }
  }

  func cancel() {
    switch self {
    case .none: break
    case .resolving(let task, let timer):
      task.cancel()
      timer.cancel()
    case .connecting(let attempt): attempt.cancel()
    }
  }
}
