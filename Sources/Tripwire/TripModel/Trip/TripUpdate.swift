/// What is known of a followed trip, and what of it is news to who reads this.
public struct TripUpdate: Sendable {
  private let snapshot: TripSnapshot
  /// The properties of the trip that differ from those of the reader's last update.
  public let changed: TripPropertyFields
  /// Whether ``state`` does.
  public let stateChanged: Bool
  /// Whether ``failure`` does: another code, origin, cause or message, or no error any more. An error
  /// that lasts, and one whose message differs in durations only ("after 3 ms"), is no change.
  public let failureChanged: Bool
  /// Whether ``isStale`` does.
  public let stalenessChanged: Bool

  /// - Parameter last: what the reader knows; nil when that is nothing yet.
  init(_ snapshot: TripSnapshot, since last: TripSnapshot?) {
    self.snapshot = snapshot
    changed =
      last?.held === snapshot.held
      ? [] : .differences(between: last?.held?.trip, and: snapshot.held?.trip)
    stateChanged = last?.state != snapshot.state
    failureChanged = snapshot.failure.isNews(since: last?.failure)
    stalenessChanged = last?.isStale ?? false != snapshot.isStale
  }

  /// For previews and tests: an update that a model could tell. What has changed is found against the
  /// reader's `last`; nil when this is the first.
  public init(
    state: TripModelState = .active, trip: Trip?, failure: TripFailure? = nil,
    isStale: Bool = false,
    refreshed: ContinuousClock.Instant? = .now, since last: TripUpdate? = nil
  ) {
    self.init(
      TripSnapshot(
        state: state, trip: trip, failure: failure, isStale: isStale, refreshed: refreshed),
      since: last?.snapshot)
  }

  public var state: TripModelState { snapshot.state }

  /// The trip with all that is known of it, nil until the first answer.
  public var trip: Trip? { snapshot.held?.trip }

  /// Why the trip cannot be refreshed at present; nil when the last answer was a trip.
  public var failure: TripFailure? { snapshot.failure }

  /// Whether the trip is older than three intervals of refreshing.
  public var isStale: Bool { snapshot.isStale }

  /// When the server last said that the trip is as it is here; nil until the first answer. Its age is
  /// `.now - refreshed`.
  public var refreshed: ContinuousClock.Instant? { snapshot.refreshed }

  /// Whether there is anything in it that the reader does not know.
  var isNews: Bool { !changed.isEmpty || stateChanged || failureChanged || stalenessChanged }
}
