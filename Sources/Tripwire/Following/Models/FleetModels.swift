import WireIO
import WireSystem

/// The models of one ``FleetServices``, by kind. The models of a kind are created when the first one is
/// requested, so that programs without such models neither poll for them nor link their code.
final class FleetModels: Sendable {
  private struct State {
    var kinds: [ObjectIdentifier: any ClosableModels] = [:]
    var isClosed = false
  }

  private let client: FleetClient
  private let source: (any TripSource)?
  private let loop: EventLoop
  private let state = Locked(State())

  /// - Parameters:
  ///   - source: replaces polls; nil if there is none.
  ///   - loop: makes the polls, and asks the source.
  init(client: FleetClient, source: (any TripSource)?, loop: EventLoop) {
    self.client = client
    self.source = source
    self.loop = loop
  }

  /// The models of trips.
  var trips: FollowedModels<TripModel> {
    models {
      FollowedModels(client, on: loop, followTrip()) { name throws(ResourceNameError) in
        .trip(try TripName(name))
      }
    }
  }

  private func followTrip() -> ResourceReceiver<TripModel>.Follow? {
    guard let source else { return nil }
    return { name, report throws(ResourceNameError) in
      source.follow(try TripName(name), report: report)
    }
  }

  func trip(_ name: String) -> TripModel { model(name, of: trips) }

  /// Returns the model of another resource. It fails like calls if there is a source of trips only.
  ///
  /// - Parameter parse: fails for a malformed name.
  func resource<Resource>(
    _ name: String, _ parse: @escaping @Sendable (String) throws(ResourceNameError) -> ResourceName
  ) -> ResourceModel<Resource> {
    model(name, of: models { FollowedModels(client, on: loop, follow(parse), parse) })
  }

  private func model<Model>(_ name: String, of models: FollowedModels<Model>) -> Model {
    let model = models[name]
    // `close` sets this before it looks for models, and finds this one.
    if state.withLock({ $0.isClosed }) { model.resource.close() }
    return model
  }

  private func follow<Resource>(
    _ parse: @escaping @Sendable (String) throws(ResourceNameError) -> ResourceName
  ) -> ResourceReceiver<ResourceModel<Resource>>.Follow? {
    guard let source = source as? any ResourceSource else { return nil }
    return { name, report throws(ResourceNameError) in
      source.follow(try parse(name), report: report)
    }
  }

  private func models<Model>(orMake make: () -> FollowedModels<Model>) -> FollowedModels<Model> {
    state.withLock { state in
      let id = ObjectIdentifier(Model.self)
      if let models = state.kinds[id] as? FollowedModels<Model> { return models }
      let models = make()
      state.kinds[id] = models
      return models
    }
  }

  /// Makes all models inactive for good, and waits until their polls are canceled and the source has stopped.
  func close() async {
    let kinds = state.withLock { state in
      state.isClosed = true
      return Array(state.kinds.values)
    }
    for models in kinds { models.close() }
    // Polls and the source are stopped on the loop.
    await withCheckedContinuation { continuation in
      loop.execute { continuation.resume() }
    }
  }
}

/// The models of any kind.
private protocol ClosableModels: AnyObject, Sendable {
  func close()
}

extension FollowedModels: ClosableModels {}
