/// The state of a followed resource, and what has changed since the reader's last update.
public struct ResourceUpdate<Resource: FollowedResource>: Sendable {
  private let snapshot: ResourceSnapshot<Resource>
  /// The changed properties of a trip. For another resource, the changed top-level fields by their names in the
  /// .proto file, such as "last_location". Version stamps and durations that change with time alone are left out.
  public let changed: Resource.Changes
  /// Whether ``state`` has changed.
  public let stateChanged: Bool
  /// Whether ``failure`` has changed: the start or the end of an error, or another code, origin, cause or
  /// message. A continuing error is not a change, and neither are different durations in its message ("after 3
  /// ms"), except the wait after a refused token.
  public let failureChanged: Bool
  /// Whether ``isStale`` has changed.
  public let stalenessChanged: Bool

  /// Creates an update for previews and tests. The changes are those since `last`, the reader's
  /// previous update; nil if this is the first one.
  public init(
    state: FollowingState = .active, resource: Resource?, failure: RefreshFailure? = nil,
    isStale: Bool = false, refreshed: ContinuousClock.Instant? = .now,
    since last: ResourceUpdate? = nil
  ) {
    self.init(
      ResourceSnapshot(
        state: state, resource: resource, failure: failure, isStale: isStale, refreshed: refreshed),
      since: last?.snapshot)
  }

  /// Whether the model is active after the update.
  public var state: FollowingState { snapshot.state }

  /// The resource with everything that is known; nil before the first response.
  public var resource: Resource? { snapshot.held?.resource }

  /// Why the resource currently cannot be refreshed; nil if the last poll succeeded.
  public var failure: RefreshFailure? { snapshot.failure }

  /// Whether the resource is older than three refresh intervals.
  public var isStale: Bool { snapshot.isStale }

  /// When the server last confirmed the resource; nil before the first response. Its age is `.now -
  /// refreshed`.
  public var refreshed: ContinuousClock.Instant? { snapshot.refreshed }

  /// When the poll of the resource began; nil if another process polled it.
  package var pollBegan: ContinuousClock.Instant? { snapshot.pollBegan }

  /// The expected time between responses without errors.
  package var refreshInterval: Duration { snapshot.refreshInterval }

  /// - Parameter last: the snapshot that the reader knows; nil if none.
  init(_ snapshot: ResourceSnapshot<Resource>, since last: ResourceSnapshot<Resource>?) {
    self.snapshot = snapshot
    changed =
      last?.held === snapshot.held
      ? Resource.Changes()
      : Self.changes(from: last?.held ?? Self.empty, to: snapshot.held ?? Self.empty)
    stateChanged = last?.state != snapshot.state
    failureChanged = snapshot.failure.isNews(since: last?.failure)
    stalenessChanged = last?.isStale ?? false != snapshot.isStale
  }

  private static var empty: ReceivedResource<Resource> { ReceivedResource(Resource()) }

  // The resources are read through the objects, because a copy counts the references of all their parts.
  private static func changes(
    from old: ReceivedResource<Resource>, to new: ReceivedResource<Resource>
  ) -> Resource.Changes {
    Resource.changes(from: old.resource, to: new.resource)
  }

  /// Whether the update contains anything that the reader does not know.
  var isNews: Bool { !changed.isEmpty || stateChanged || failureChanged || stalenessChanged }
}
