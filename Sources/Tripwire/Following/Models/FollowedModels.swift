import WireIO

/// The models of the resources of one kind, and how they get their resources.
final class FollowedModels<Model: FollowingModel>: Sendable {
  private enum Origin: Sendable {
    case server(FleetClient, ResourcePoller<Model>)
    case source(ResourceReceiver<Model>)
  }

  private let origin: Origin
  private let parse: @Sendable (String) throws(ResourceNameError) -> ResourceName
  private let models = ModelRegistry<Model>()

  /// - Parameters:
  ///   - follow: makes a source follow a resource; nil makes the client poll it.
  ///   - parse: fails for a malformed name.
  init(
    _ client: FleetClient, on loop: EventLoop, _ follow: ResourceReceiver<Model>.Follow?,
    _ parse: @escaping @Sendable (String) throws(ResourceNameError) -> ResourceName
  ) {
    self.parse = parse
    if let follow {
      origin = .source(ResourceReceiver(loop: loop, follow: follow))
    } else {
      origin = .server(client, ResourcePoller(loop: loop))
    }
  }

  subscript(name: String) -> Model {
    models.model(named: name) { whenGone in
      Model(resource(name), whenGone: whenGone)
    }
  }

  private func resource(_ name: String) -> PolledResource<Model> {
    switch origin {
    case .source(let receiver):
      return PolledResource(name: name, receiver: receiver)
    case .server(let client, let poller):
      do throws(ResourceNameError) {
        _ = try parse(name)
      } catch {
        let failure = CallError.malformedName(error, path: Model.Resource.getMethod.path)
        return PolledResource(
          name: name, poller: poller, fetch: ResourceFetch { _, _ in { .failure(failure) } })
      }
      return PolledResource(
        name: name, poller: poller, whenIdle: client.stopRefreshingToken(name),
        fetch: client.fetch(name))
    }
  }

  func has(_ name: String) -> Bool { models.has(name) }

  /// All models, in no order.
  var all: [Model] { models.all }

  /// Makes the present models inactive for good.
  func close() {
    for model in all { model.resource.close() }
  }
}
