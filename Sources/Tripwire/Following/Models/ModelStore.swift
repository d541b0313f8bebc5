import WireSystem

/// The models of a service, by kind. They are created when the first one is requested, so that programs
/// without such models neither poll for them nor link their code.
final class ModelStore: Sendable {
  private let kinds = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Returns the models of a kind.
  ///
  /// - Parameter make: creates them if there are none.
  func models<Resource>(
    orMake make: () -> ResourceModels<Resource>
  ) -> ResourceModels<Resource> {
    kinds.withLock { kinds in
      let id = ObjectIdentifier(Resource.self)
      if let models = kinds[id] as? ResourceModels<Resource> { return models }
      let models = make()
      kinds[id] = models
      return models
    }
  }
}
