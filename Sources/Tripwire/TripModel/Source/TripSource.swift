/// A source of trips other than polling, such as a relay that polls for many readers.
///
///     let fleet = try FleetServices(providerID: "my-project", source: source)
///     for await update in fleet.tripService.tripModel(forTripName: name).updates { … }
///
/// A ``TripModel`` with a source behaves like one that polls: it has the same updates, failures and
/// staleness, and ends with the trip. See <doc:TripsFromASource>.
public protocol TripSource: Sendable {
  /// Starts following a trip. Called on a thread of the library, soon after the first reader of the trip has begun and
  /// after ``ResourceModel/resume()``. The reader may already have its first update, which has no trip.
  ///
  /// - Parameters:
  ///   - tripName: the trip.
  ///   - report: takes a state of the trip, and returns at once. May be called on any thread, even before this
  ///     method returns. The calls for one trip must not overlap. The first call should pass the known state.
  /// - Returns: a closure that stops following. It is called once: when the last reader is gone, when
  ///   the trip is over, when the model is suspended, or when the ``FleetServices`` are closed. Later reports are ignored.
  func follow(
    _ tripName: TripName, report: @escaping @Sendable (TripReport) -> Void
  ) -> @Sendable () -> Void
}
