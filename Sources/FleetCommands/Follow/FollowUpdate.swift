import Tripwire

/// The state of a followed resource of any kind, and the changes since the last update.
struct FollowUpdate: Sendable {
  /// Nil before the first response.
  let resource: FleetResource?
  /// Why the resource currently cannot be refreshed.
  let failure: RefreshFailure?
  let isStale: Bool
  /// When the server last confirmed the resource.
  let refreshed: ContinuousClock.Instant?
  let hasChanges: Bool
  let failureChanged: Bool
  let stalenessChanged: Bool

  init(_ update: ResourceUpdate<some FleetMessage>) {
    resource = update.resource?.resource
    failure = update.failure
    isStale = update.isStale
    refreshed = update.refreshed
    hasChanges = !update.changed.isEmpty
    failureChanged = update.failureChanged
    stalenessChanged = update.stalenessChanged
  }
}
