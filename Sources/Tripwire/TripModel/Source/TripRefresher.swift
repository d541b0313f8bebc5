/// Keeps followed trips current: polls them, or receives them from a source.
protocol TripRefresher: Sendable {
  var clock: any RefreshClock { get }
  /// Adapts to a trip that any thread has changed.
  func tripChanged(_ trip: PolledTrip, _ outcome: PolledTrip.Outcome)
}

extension TripPoller: TripRefresher {}
