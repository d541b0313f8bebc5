import WireSystem

/// Models by name. Each one stays as long as it is held or its resource is followed.
package final class ModelRegistry<Model: AnyObject & Sendable>: Sendable {
  /// A class, because Swift 6.3 crashes on a weak reference in a dictionary's missing value.
  private final class Entry: Sendable {
    /// Never released under the lock, because its `deinit` takes the lock.
    weak let model: Model?
    let id: ObjectIdentifier

    init(_ model: Model) {
      self.model = model
      id = ObjectIdentifier(model)
    }
  }

  private let entries = Locked<[String: Entry]>([:])

  package init() {}

  /// Returns the model of a name.
  ///
  /// - Parameter make: creates it if there is none. The model calls `whenGone` in its `deinit`.
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

  /// All models, in no order.
  package var all: [Model] {
    entries.withLock { $0.values.compactMap(\.model) }
  }

  /// Another model may have taken its place.
  private func forget(_ name: String, _ id: ObjectIdentifier) {
    entries.withLock { entries in
      if entries[name]?.id == id { entries[name] = nil }
    }
  }
}
