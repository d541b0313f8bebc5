import Tripwire

/// Shows the updates of followed trips.
protocol FollowDisplay: Sendable {
  /// - Throws: ``ErrorReport`` if the update cannot be shown, and the first error with --fail-fast.
  func show(_ trip: FollowedTrip, _ update: TripUpdate) async throws(ErrorReport)
  /// Keeps what it shows current between updates, until the task is canceled.
  func keepFresh() async throws(ErrorReport)
  /// Waits until nobody needs the display, after the last trip has reached its end.
  func untilUnused() async
}
