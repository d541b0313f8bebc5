/// A source of trips, vehicles, delivery vehicles, tasks and shipments other than polling, such as a relay that
/// polls for many readers.
///
///     let fleet = try FleetServices(providerID: "my-project", source: source)
///     for await update in fleet.deliveryService.taskModel(forTaskName: name).updates { … }
///
/// A model with a source behaves like one that polls: it has the same updates, failures and staleness, and ends
/// with the resource. See <doc:TripsFromASource>.
public protocol ResourceSource: TripSource {
  /// Starts following a resource. Called on a thread of the library, soon after its first reader has begun and after
  /// its model was suspended and resumed. The reader may already have its first update, which has no resource.
  ///
  /// - Parameters:
  ///   - name: the name of the resource, whose type is `Resource`.
  ///   - report: takes a state of the resource, and returns at once. May be called on any thread, even before this
  ///     method returns. The calls for one resource must not overlap. The first call should pass the known state.
  /// - Returns: a closure that stops following. It is called once: when the last reader is gone, when
  ///   the resource is final, when the model is suspended, or when the ``FleetServices`` are closed. Later reports are ignored.
  func follow<Resource: FollowedResource>(
    _ name: ResourceName, report: @escaping @Sendable (ResourceReport<Resource>) -> Void
  ) -> @Sendable () -> Void
}

extension ResourceSource {
  public func follow(
    _ tripName: TripName, report: @escaping @Sendable (TripReport) -> Void
  ) -> @Sendable () -> Void {
    follow(.trip(tripName), report: report)
  }
}
