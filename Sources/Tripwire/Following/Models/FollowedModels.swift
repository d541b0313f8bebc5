import WireIO
import WireSystem

/// The models of the resources of one kind, and how they get their resources.
final class FollowedModels<Resource: FollowedResource>: Sendable {
  private enum Origin: Sendable {
    case server(FleetClient, ResourcePoller<Resource>)
    case source(ResourceReceiver<Resource>)
  }

  private let origin: Origin
  private let kind: ResourceKind
  private let models = ModelRegistry<ResourceModel<Resource>>()
  private let isClosed = Locked(false)

  /// - Parameter follow: makes a source follow a resource; nil makes the client poll it.
  init(
    _ client: FleetClient, on loop: EventLoop, _ kind: ResourceKind,
    _ follow: ResourceReceiver<Resource>.Follow?
  ) {
    self.kind = kind
    if let follow {
      origin = .source(ResourceReceiver(loop: loop, follow: follow))
    } else {
      origin = .server(client, ResourcePoller(loop: loop))
    }
  }

  subscript(name: String) -> ResourceModel<Resource> {
    models.model(named: name) { whenGone in
      let resource = resource(name)
      // `close` sets this before it looks for models, and this model is found after this closure.
      if isClosed.withLock({ $0 }) { resource.close() }
      return ResourceModel(resource, whenGone: whenGone)
    }
  }

  private func resource(_ name: String) -> PolledResource<Resource> {
    switch origin {
    case .source(let receiver):
      return PolledResource(name: name, receiver: receiver)
    case .server(let client, let poller):
      do throws(ResourceNameError) {
        _ = try ResourceName(name, [kind])
      } catch {
        let failure = CallError.malformedName(error, path: Resource.getMethod.path)
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
  var all: [ResourceModel<Resource>] { models.all }

  /// Makes all models inactive for good.
  func close() {
    isClosed.withLock { $0 = true }
    for model in models.all { model.resource.close() }
  }
}
