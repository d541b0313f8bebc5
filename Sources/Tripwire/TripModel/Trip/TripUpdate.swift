/// The state of a followed trip, and the changes since the reader's last update.
public struct TripUpdate: Sendable {
  private let snapshot: ResourceSnapshot<Trip>
  /// The properties of the trip that have changed.
  public let changed: TripPropertyFields
  /// Whether ``state`` has changed.
  public let stateChanged: Bool
  /// Whether ``failure`` has changed: the start or the end of an error, or another code, origin, cause or
  /// message. A continuing error is not a change, and neither are different durations in its message ("after 3
  /// ms"), except the wait after a refused token.
  public let failureChanged: Bool
  /// Whether ``isStale`` has changed.
  public let stalenessChanged: Bool

  /// - Parameter last: the snapshot that the reader knows; nil if none.
  init(_ snapshot: ResourceSnapshot<Trip>, since last: ResourceSnapshot<Trip>?) {
    self.snapshot = snapshot
    changed =
      last?.held === snapshot.held
      ? [] : .differences(between: last?.held, and: snapshot.held)
    stateChanged = last?.state != snapshot.state
    failureChanged = snapshot.failure.isNews(since: last?.failure)
    stalenessChanged = last?.isStale ?? false != snapshot.isStale
  }

  /// Creates an update for previews and tests. The changes are computed against the reader's `last`
  /// update; nil if this is the first.
  public init(
    state: TripModelState = .active, trip: Trip?, failure: TripFailure? = nil,
    isStale: Bool = false,
    refreshed: ContinuousClock.Instant? = .now, since last: TripUpdate? = nil
  ) {
    self.init(
      ResourceSnapshot<Trip>(
        state: state, resource: trip, failure: failure, isStale: isStale, refreshed: refreshed),
      since: last?.snapshot)
  }

  /// Whether the model is active after the update.
  public var state: TripModelState { snapshot.state }

  /// The trip with everything that is known; nil before the first response.
  public var trip: Trip? { snapshot.held?.trip }

  /// Why the trip currently cannot be refreshed; nil if the last poll succeeded.
  public var failure: TripFailure? { snapshot.failure }

  /// Whether the trip is older than three refresh intervals.
  public var isStale: Bool { snapshot.isStale }

  /// When the server last confirmed the trip; nil before the first response. Its age is `.now -
  /// refreshed`.
  public var refreshed: ContinuousClock.Instant? { snapshot.refreshed }

  /// The expected time between responses without errors.
  package var refreshInterval: Duration { snapshot.refreshInterval }

  /// Whether subscribers are notified of the trip: it has changed, or an error has ended.
  package var concernsTrip: Bool { !changed.isEmpty || failureChanged && failure == nil }

  /// Whether the update contains anything that the reader does not know.
  var isNews: Bool { !changed.isEmpty || stateChanged || failureChanged || stalenessChanged }
}

extension TripUpdate: ModelUpdate {
  typealias Resource = Trip
}
