/// Follows a resource while it has subscribers or there are loops over its ``updates``.
///
///     let model = fleet.tripService.tripModel(forTripName: "providers/p/trips/t1")
///     for await update in model.updates {
///       if let failure = update.failure {
///         print("error:", failure.error)
///       } else if let trip = update.trip {
///         print(update.changed, trip.tripStatus)
///       }
///     }
///
/// The model polls the server at once when the first loop begins or the first subscriber is registered, and then
/// once in each ``ResourceModelOptions/refreshInterval``, until the last loop has ended and the last subscriber is
/// gone, the resource is final, or ``FleetServices/close(grace:)`` is called. A final resource is not polled again.
/// Errors never end it. After server and network errors it backs off. After client errors, most of which only the
/// app can fix, it keeps the interval.
///
/// With ``FleetServices/init(providerID:source:)`` a ``TripSource`` or ``ResourceSource`` reports the resource instead.
///
/// All members may be used from any thread.
public final class ResourceModel<Resource: FollowedResource>: Sendable {
  /// The name of the resource, such as `providers/{provider}/vehicles/{vehicle}`.
  public var name: String { resource.name }
  let resource: PolledResource<Resource>
  private let whenGone: @Sendable (ObjectIdentifier) -> Void

  init(
    _ resource: PolledResource<Resource>,
    whenGone: @escaping @Sendable (ObjectIdentifier) -> Void = { _ in }
  ) {
    self.resource = resource
    self.whenGone = whenGone
  }

  deinit {
    whenGone(ObjectIdentifier(self))
  }

  // MARK: State

  /// Whether the resource is being followed.
  public var state: FollowingState { resource.snapshot.state }

  /// The resource as it was last received; nil before the first response.
  public var current: Resource? { resource.snapshot.held?.resource }

  /// Why the resource currently cannot be refreshed; nil if the last poll succeeded. After
  /// ``FleetServices/close(grace:)`` it is UNAVAILABLE, unless the resource is final.
  public var failure: RefreshFailure? { resource.snapshot.failure }

  /// Whether ``current`` is older than three times the current refresh interval. Always false when the
  /// resource is final.
  public var isStale: Bool { present.isStale }

  /// The present state, without changes.
  package var present: ResourceUpdate<Resource> {
    var snapshot = resource.snapshot
    snapshot.noticeAge(now: resource.now)
    return ResourceUpdate(snapshot, since: snapshot)
  }

  /// When the server last confirmed ``current``. Its age is `.now - refreshed`.
  public var refreshed: ContinuousClock.Instant? { resource.snapshot.refreshed }

  /// When the next poll is due. After an error, or if the server asked for a delay, this may be
  /// later than one interval. Nil during a poll, while the model is suspended, when the resource is not
  /// followed, and with a ``ResourceSource``.
  public var nextRefresh: ContinuousClock.Instant? { resource.nextPoll }

  /// How the resource is followed. Changes apply from the next poll on, and a shorter interval
  /// makes that poll earlier unless an error has delayed it. With a ``ResourceSource``, only the
  /// interval has an effect: it determines ``isStale`` if the source does not report an interval.
  /// Setting one field writes the whole struct, so use ``updateOptions(_:)`` to change options on
  /// several threads.
  public var options: ResourceModelOptions<Resource> {
    get { resource.options }
    set { updateOptions { $0 = newValue } }
  }

  /// Changes options without losing concurrent changes.
  ///
  /// - Parameter body: called at once, under the model's lock. It must not use the model.
  public func updateOptions(_ body: (inout ResourceModelOptions<Resource>) -> Void) {
    resource.change { follower, _ in body(&follower.options) }
  }

  /// Stops polling or the source, for example while an app is in the background. The loops over ``updates`` go
  /// on, and subscribers stay registered.
  public func suspend() {
    resource.change { $0.suspend(now: $1) }
  }

  /// Continues after ``suspend()``: polls at once, or asks the source to follow the resource again.
  public func resume() {
    resource.change { $0.resume(now: $1) }
  }

  /// The updates of the resource. The first one comes at once and contains everything that is known.
  public var updates: ResourceUpdates<Resource> { ResourceUpdates(model: self) }
}

extension ResourceModel {
  package var pollStatus: PollStatus { resource.pollStatus }

  /// Starts with a resource that another process received, so that the first poll requests only what has changed
  /// since. Does nothing once the resource is followed or has been received.
  ///
  /// - Parameters:
  ///   - known: the resource.
  ///   - options: those of the request for it.
  ///   - refreshed: when the server confirmed it.
  package func seed(
    _ known: Resource, _ options: Resource.RequestOptions, refreshed: ContinuousClock.Instant
  ) {
    resource.change { follower, _ in follower.seed(known, options, refreshed: refreshed) }
  }

  /// Makes no poll before the instant. A poll in flight is not affected.
  package func delayPoll(until instant: ContinuousClock.Instant) {
    resource.change { follower, _ in follower.delayPoll(until: instant) }
  }

  /// Subscribes a closure.
  ///
  /// - Parameters:
  ///   - id: identifies the receiver.
  ///   - executor: where `notify` is called.
  ///   - notify: passes on an update, and returns whether its receiver still exists. Without an update it only
  ///     checks that.
  package func subscribe(
    _ id: ObjectIdentifier, on executor: CallbackExecutor,
    notify: @escaping @Sendable (ResourceModel, ResourceUpdate<Resource>?) -> Bool
  ) {
    add(ModelSubscription(id, on: executor, notify: notify))
  }

  package func unsubscribe(_ id: ObjectIdentifier) {
    resource.remove { $0.id == id }
  }

  func add(_ subscription: ModelSubscription<Resource>) {
    resource.add(subscription, of: self)
  }

  /// Removes this subscription, but not another one of the same subscriber.
  func remove(_ subscription: ModelSubscription<Resource>) {
    resource.remove { $0 === subscription }
  }
}
