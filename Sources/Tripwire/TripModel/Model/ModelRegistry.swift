import WireSystem

/// Trip models by name: for each one, as long as somebody holds it or follows the trip.
package final class ModelRegistry<Model: AnyObject & Sendable>: Sendable {
  /// A class, as Swift 6.3 crashes on a weak reference in a dictionary's missing value.
  private final class Entry: Sendable {
    /// Never let go under the lock, which its end takes.
    weak let model: Model?
    let id: ObjectIdentifier

    init(_ model: Model) {
      self.model = model
      id = ObjectIdentifier(model)
    }
  }

  private let entries = Locked<[String: Entry]>([:])

  package init() {}

  /// The model of a name.
  ///
  /// - Parameter make: makes it if there is none, of a function to be called in its `deinit`.
  package func model(
    named name: String,
    orMake make: (_ whenGone: @escaping @Sendable (ObjectIdentifier) -> Void) -> Model
  ) -> Model {
    entries.withLock { entries in
      if let model = entries[name]?.model { return model }
      let model = make { [weak self] id in self?.forget(name, id) }
      entries[name] = Entry(model)
      return model
    }
  }

  package func has(_ name: String) -> Bool {
    let model = entries.withLock { $0[name]?.model }
    return model != nil
  }

  /// In no order.
  package var all: [Model] {
    entries.withLock { $0.values.compactMap(\.model) }
  }

  /// Another model may have come in its place.
  private func forget(_ name: String, _ id: ObjectIdentifier) {
    entries.withLock { entries in
      if entries[name]?.id == id { entries[name] = nil }
    }
  }
}
