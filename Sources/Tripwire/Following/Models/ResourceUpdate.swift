public import WireProtobuf

/// The state of a followed resource, and what has changed since the reader's last update.
public struct ResourceUpdate<Resource: FollowedResource>: Sendable {
  private let snapshot: ResourceSnapshot<Resource>
  /// The top-level fields that have changed, by their names in the .proto file, such as "last_location".
  /// Version stamps and durations that change with time alone are left out.
  public let changed: FieldMask
  /// Whether ``state`` has changed.
  public let stateChanged: Bool
  /// Whether ``failure`` has changed, as in ``TripUpdate/failureChanged``.
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

  /// The expected time between responses without errors.
  package var refreshInterval: Duration { snapshot.refreshInterval }
}

extension ResourceUpdate: ModelUpdate {
  init(_ snapshot: ResourceSnapshot<Resource>, since last: ResourceSnapshot<Resource>?) {
    self.snapshot = snapshot
    changed =
      last?.held === snapshot.held
      ? FieldMask()
      : Resource.changes(
        from: last?.held?.resource ?? Resource(), to: snapshot.held?.resource ?? Resource())
    stateChanged = last?.state != snapshot.state
    failureChanged = snapshot.failure.isNews(since: last?.failure)
    stalenessChanged = last?.isStale ?? false != snapshot.isStale
  }

  var isNews: Bool { !changed.paths.isEmpty || stateChanged || failureChanged || stalenessChanged }
}
