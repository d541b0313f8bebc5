import WireIO

/// The models of the resources of one kind, and how they get their resources.
final class FollowedModels<Resource: FleetMessage>: Sendable {
  /// Makes a source follow a resource, and returns a closure that stops it.
  typealias Follow =
    @Sendable (ResourceName, @escaping @Sendable (ResourceReport<Resource>) -> Void) ->
    @Sendable () -> Void

  private let client: FleetClient
  private let poller: ResourcePoller<Resource>?
  private let follow: Follow?
  private let models = ModelRegistry<ResourceModel<Resource>>()

  /// - Parameter follow: nil makes the client poll the resources.
  init(_ client: FleetClient, on loop: EventLoop?, _ follow: Follow?) {
    self.client = client
    poller = loop.map { ResourcePoller(loop: $0) }
    self.follow = follow
  }

  subscript(name: String) -> ResourceModel<Resource> {
    models.model(named: name) { whenGone in
      ResourceModel(resource(name), whenGone: whenGone)
    }
  }

  private func resource(_ name: String) -> PolledResource<Resource> {
    let parsed: ResourceName
    do throws(ResourceNameError) {
      parsed = try ResourceName(name, [Resource.kind])
    } catch {
      let failure = CallError.malformedName(error, path: Resource.getMethod.path)
      return PolledResource(
        name: name, poller: poller, .server(ResourceFetch { _, _ in { .failure(failure) } }))
    }
    if let follow {
      return PolledResource(name: name, poller: poller, .source { follow(parsed, $0) })
    }
    return PolledResource(
      name: name, poller: poller, whenIdle: client.stopRefreshingToken(name),
      .server(client.fetch(name)))
  }

  func has(_ name: String) -> Bool { models.has(name) }

  /// All models, in no order.
  var all: [ResourceModel<Resource>] { models.all }

  /// Makes the present models inactive for good.
  func close() {
    for model in all { model.resource.close() }
  }
}
