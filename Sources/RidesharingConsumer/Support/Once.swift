import WireSystem

/// A value that is created on first use.
final class Once<Value: Sendable>: Sendable {
  private let made = Locked<Value?>(nil)

  /// Two simultaneous callers may both create it; the first value is kept.
  func callAsFunction(_ make: () -> Value) -> Value {
    if let value = made.withLock({ $0 }) { return value }
    let value = make()
    return made.withLock { made in
      if made == nil { made = value }
      return made ?? value
    }
  }
}
