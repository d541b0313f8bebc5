import WireSystem

/// Follows a trip while it has subscribers.
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
/// The model polls the server at once when the first subscriber is registered or the first loop
/// over ``updates`` begins. It then polls once in each ``TripModelOptions/refreshInterval``, until
/// the last subscriber is gone, the trip is over, or ``FleetServices/close(grace:)`` is called. Errors
/// never end it. After server and network errors it backs off. After client errors, most of which only the
/// app can fix, it keeps the interval. A trip that is over is not polled again.
///
/// With ``FleetServices/init(providerID:source:)`` a ``TripSource`` reports the trip instead.
///
/// All members may be used from any thread.
public final class TripModel: Sendable {
  /// `providers/{provider}/trips/{trip}`.
  public var tripName: String { resource.name }
  let resource: PolledResource<TripModel>
  private let whenGone: @Sendable (ObjectIdentifier) -> Void

  init(
    _ resource: PolledResource<TripModel>,
    whenGone: @escaping @Sendable (ObjectIdentifier) -> Void = { _ in }
  ) {
    self.resource = resource
    self.whenGone = whenGone
  }

  deinit {
    whenGone(ObjectIdentifier(self))
  }

  // MARK: State

  /// Whether the trip is being followed.
  public var state: TripModelState { snapshot.state }

  /// The trip as it was last received; nil before the first response.
  public var currentTrip: Trip? { snapshot.held?.trip }

  /// Why the trip currently cannot be refreshed; nil if the last poll succeeded. After
  /// ``FleetServices/close(grace:)`` it is UNAVAILABLE, unless the trip is over.
  public var failure: TripFailure? { snapshot.failure }

  /// Whether ``currentTrip`` is older than three times the current refresh interval. Always false
  /// when the trip is over.
  public var isStale: Bool {
    var snapshot = snapshot
    snapshot.noticeAge(now: resource.now)
    return snapshot.isStale
  }

  /// When the server last confirmed ``currentTrip``. Its age is `.now - refreshed`.
  public var refreshed: ContinuousClock.Instant? { snapshot.refreshed }

  /// When the next poll is due. After an error, or if the server asked for a delay, this may be
  /// later than one interval. Nil during a poll, while the model is suspended, when the trip is not
  /// followed, and with a ``TripSource``.
  public var nextRefresh: ContinuousClock.Instant? { resource.nextPoll }

  private var snapshot: ResourceSnapshot<Trip> { resource.snapshot }

  /// How the trip is followed. Changes apply from the next poll on, and a shorter interval makes
  /// that poll earlier unless an error has delayed it. With a ``TripSource``, only the interval has
  /// an effect: it determines ``isStale`` if the source does not report an interval. Setting one
  /// field writes the whole struct, so use ``updateOptions(_:)`` to change options on several
  /// threads.
  public var options: TripModelOptions {
    get { resource.options }
    set { updateOptions { $0 = newValue } }
  }

  /// Changes options without losing concurrent changes.
  ///
  /// - Parameter body: called at once, under the model's lock. It must not use the model.
  public func updateOptions(_ body: (inout TripModelOptions) -> Void) {
    resource.change { follower, _ in body(&follower.options) }
  }

  /// Stops polling or the source, for example while an app is in the background. Subscribers stay
  /// registered.
  public func suspend() {
    resource.change { $0.suspend(now: $1) }
  }

  /// Continues after ``suspend()``: polls at once, or asks the source to follow the trip again.
  public func resume() {
    resource.change { $0.resume(now: $1) }
  }

  // MARK: Subscribers

  /// Registers a subscriber that is called on the main actor. The model holds it weakly. A
  /// subscriber that is registered again receives the whole state again.
  @MainActor public func register(_ subscriber: any TripModelSubscriber) {
    add(subscriber, on: .main)
  }

  /// Registers a subscriber that is called on an executor. The model holds it weakly.
  public func register(
    _ subscriber: any TripModelSubscriber & Sendable, on executor: CallbackExecutor
  ) {
    add(subscriber, on: executor)
  }

  /// Registers a subscriber that is called on the given actor, and therefore need not be Sendable:
  ///
  ///     actor Dispatcher {
  ///       private let board = Board()  // a class without any locks
  ///       func follow(_ model: TripModel) { model.register(board, on: self) }
  ///     }
  public func register(
    _ subscriber: any TripModelSubscriber, on actor: isolated any Actor
  ) {
    add(subscriber, on: .actor(actor))
  }

  /// Removes a subscriber. A call that is running on another thread completes. Without subscribers
  /// the trip is no longer followed. May be called in the subscriber's `deinit`: it is not
  /// retained.
  public func unregister(_ subscriber: AnyObject) {
    unsubscribe(ObjectIdentifier(subscriber))
  }

  /// Subscribes a closure.
  ///
  /// - Parameter notify: passes on an update, and returns whether its receiver still exists.
  ///   Without an update it only checks that.
  package func subscribe(
    _ id: ObjectIdentifier, on executor: CallbackExecutor,
    notify: @escaping @Sendable (TripModel, TripUpdate?) -> Bool
  ) {
    add(ModelSubscription(id, on: executor, notify: notify))
  }

  package func unsubscribe(_ id: ObjectIdentifier) {
    resource.remove { $0.id == id }
  }

  private func add(_ subscriber: any TripModelSubscriber, on executor: CallbackExecutor) {
    add(subscriber, on: executor) { [weak subscriber] model, update in
      guard let subscriber else { return false }
      if let update { subscriber.notify(update, of: model) }
      return true
    }
  }
}

extension TripModel: FollowingModel {
  typealias Update = TripUpdate

  static func request(forName name: String, _ options: TripModelOptions) -> GetTripRequest {
    var request = Trip.request(forName: name, header: options.header)
    request.view = options.view
    request.routeFormatType = options.routeFormat
    return request
  }
}
