import WireIO
import WireSystem

/// The models of one ``FleetServices``, by kind. The models of a kind are created when the first one is
/// requested, so that programs without such models neither poll for them nor link their code.
final class FleetModels: Sendable {
  private struct State {
    var kinds: [ResourceKind: any ClosableModels] = [:]
    var isClosed = false
  }

  private let client: FleetClient
  private let source: (any TripSource)?
  private let loop: EventLoop?
  private let state = Locked(State())

  /// - Parameters:
  ///   - source: replaces polls; nil if there is none.
  ///   - loop: makes the polls, and asks the source; nil if the system has no thread left, and then nothing is
  ///     received.
  init(client: FleetClient, source: (any TripSource)?, loop: EventLoop?) {
    self.client = client
    self.source = source
    self.loop = loop
  }

  var trips: FollowedModels<Trip> {
    guard let source else { return models(nil) }
    return models { name, report in
      guard case .trip(let name) = name else { return {} }
      return source.follow(name, report: report)
    }
  }

  func trip(_ name: String) -> TripModel { model(name, of: trips) }

  /// Returns the model of another resource. It fails like calls if there is a source of trips only.
  func resource<Resource: FleetMessage>(_ name: String) -> ResourceModel<Resource> {
    guard let source = source as? any ResourceSource else { return model(name, of: models(nil)) }
    return model(name, of: models { source.follow($0, report: $1) })
  }

  private func model<Resource>(
    _ name: String, of models: FollowedModels<Resource>
  ) -> ResourceModel<Resource> {
    let model = models[name]
    // `close` sets this before it looks for models, and finds this one.
    if state.withLock({ $0.isClosed }) { model.resource.close() }
    return model
  }

  private func models<Resource>(
    _ follow: FollowedModels<Resource>.Follow?
  ) -> FollowedModels<Resource> {
    state.withLock { state in
      if let models = state.kinds[Resource.kind] as? FollowedModels<Resource> { return models }
      let models = FollowedModels(client, on: loop, follow)
      state.kinds[Resource.kind] = models
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
    guard let loop else { return }
    // Polls and the source are stopped on the loop.
    await withCheckedContinuation { continuation in
      loop.execute { continuation.resume() }
    }
  }
}

private protocol ClosableModels: AnyObject, Sendable {
  func close()
}

extension FollowedModels: ClosableModels {}
