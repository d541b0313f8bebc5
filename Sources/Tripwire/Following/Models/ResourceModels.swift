import WireIO

/// The models of the resources of one kind, and the calls that they make.
final class ResourceModels<Resource: FollowedResource>: Sendable {
  private let client: FleetClient
  private let poller: ResourcePoller<ResourceModel<Resource>>?
  private let receiver: ResourceReceiver<ResourceModel<Resource>>?
  private let parse: @Sendable (String) throws(ResourceNameError) -> ResourceName
  private let models = ModelRegistry<ResourceModel<Resource>>()

  /// - Parameters:
  ///   - receivers: those of a source that replaces polls; nil if there is none.
  ///   - parse: fails for a malformed name.
  init(
    client: FleetClient, _ receivers: SourceReceivers?,
    parse: @escaping @Sendable (String) throws(ResourceNameError) -> ResourceName
  ) {
    self.client = client
    self.parse = parse
    receiver = receivers?.resources(parse)
    let loop = client.channel?.loop ?? EventLoop.ofTrips
    poller = loop.map { ResourcePoller(loop: $0) }
  }

  subscript(name: String) -> ResourceModel<Resource> {
    models.model(named: name) { whenGone in
      if let receiver { return ResourceModel(name: name, receiver: receiver, whenGone: whenGone) }
      do throws(ResourceNameError) {
        _ = try parse(name)
      } catch {
        let failure = CallError.malformedName(error, path: Resource.getMethod.path)
        return ResourceModel(
          name: name, poller: poller, whenGone: whenGone,
          fetch: ResourceFetch { _, _ in { .failure(failure) } })
      }
      return ResourceModel(
        name: name, poller: poller,
        whenIdle: client.stopRefreshingToken(name),
        whenGone: whenGone, fetch: client.fetch(name))
    }
  }
}
