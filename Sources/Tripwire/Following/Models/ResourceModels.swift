import WireIO

/// The models of the resources of one kind, and the calls that they make.
final class ResourceModels<Resource: FollowedResource>: Sendable {
  private let client: FleetClient
  private let poller: ResourcePoller<ResourceModel<Resource>>?
  private let checkName: @Sendable (String) throws(ResourceNameError) -> Void
  private let models = ModelRegistry<ResourceModel<Resource>>()

  /// - Parameter checkName: fails for a malformed name.
  init(
    client: FleetClient,
    checkName: @escaping @Sendable (String) throws(ResourceNameError) -> Void
  ) {
    self.client = client
    self.checkName = checkName
    let loop = client.channel?.loop ?? EventLoop.ofTrips
    poller = loop.map { ResourcePoller(loop: $0) }
  }

  subscript(name: String) -> ResourceModel<Resource> {
    models.model(named: name) { whenGone in
      do throws(ResourceNameError) {
        try checkName(name)
      } catch {
        let failure = CallError.malformedName(error, path: Resource.getMethod.path)
        return ResourceModel(
          name: name, poller: poller, whenGone: whenGone,
          fetch: ResourceFetch { _, _ in { .failure(failure) } })
      }
      let context = AuthorizationContext(of: name)
      return ResourceModel(
        name: name, poller: poller,
        whenIdle: { [client] in client.tokens?.stopRefreshing(context) ?? () },
        whenGone: whenGone, fetch: client.fetch(for: context))
    }
  }
}
