import WireSystem

/// A value that is made when it is first asked for.
final class Once<Value: Sendable>: Sendable {
  private let made = Locked<Value?>(nil)

  /// When two ask at the same time both may make it; the first one made is kept.
  func callAsFunction(_ make: () -> Value) -> Value {
    if let value = made.withLock({ $0 }) { return value }
    let value = make()
    return made.withLock { made in
      if made == nil { made = value }
      return made ?? value
    }
  }
}
