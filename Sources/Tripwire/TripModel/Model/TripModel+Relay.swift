extension TripModel {
  /// Starts with a trip that another process received with this view and format, so that the first poll
  /// requests only what has changed since. Does nothing once the trip is followed or has been received.
  ///
  /// - Parameter refreshed: when the server confirmed the trip.
  package func seed(
    _ trip: Trip, view: TripView, routeFormat: PolylineFormatType,
    refreshed: ContinuousClock.Instant
  ) {
    let held = ReceivedTrip(trip)
    let form = Trip.form(of: GetTripRequest(view: view, routeFormatType: routeFormat))
    resource.change { follower, _ in follower.seed(held, form: form, refreshed: refreshed) }
  }

  /// Makes no poll before the instant. A poll in flight is not affected.
  package func delayPoll(until instant: ContinuousClock.Instant) {
    resource.change { follower, _ in follower.delayPoll(until: instant) }
  }
}
