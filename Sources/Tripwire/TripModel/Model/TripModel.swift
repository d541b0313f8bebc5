import WireSystem

/// A trip that is followed as long as somebody wants to know about it.
///
///     let model = fleet.tripService.tripModel(forTripName: "providers/p/trips/t1")
///     for await update in model.updates {
///       print(update.trip?.tripStatus ?? .unknown, update.failure?.error ?? "")
///     }
///
/// The server is asked at once when the first subscriber is registered, or the first loop over
/// ``updates`` begins, and then again and again (``TripModelOptions/refreshInterval``), until the last
/// is gone or the trip is over. Errors never end it: after those of the server and the network it asks
/// less and less often until one passes; with those that only the app can mend it goes on as before.
///
/// All may be called from any thread.
public final class TripModel: Sendable {
  /// Asks the server.
  typealias Fetch = @Sendable (GetTripRequest, CallOptions) async -> Answer
  /// Reads what came of it. Apart, as a trip takes more than a kilobyte in each function that waits
  /// for it.
  typealias Answer = @Sendable () -> Result<Trip, CallError>

  private struct State {
    var follower: TripFollower
    var subscriptions: [TripSubscription] = []
    var task: (poll: UInt64, Task<Void, Never>)?
    var wakeUp: (time: ContinuousClock.Instant, tick: Int64)?
    /// The model, as long as it is followed: nobody else may hold it, least of all while it is
    /// suspended.
    var itself: TripModel?
    /// Those that were removed, to be let go of outside of the lock: what they hold is not ours.
    var removed: [TripSubscription] = []

    /// How many polls in a row had nothing to tell.
    var silence = 0
    /// After so many the subscribers are woken all the same: it is then that one who is gone is missed.
    private static let longestSilence = 12

    mutating func endsSilence(_ isNews: Bool, hasPolled: Bool) -> Bool {
      if hasPolled { silence += 1 }
      guard isNews || silence == Self.longestSilence else { return false }
      silence = 0
      return true
    }

    mutating func remove(where isLeaving: (TripSubscription) -> Bool) {
      let leaving = subscriptions.filter(isLeaving)
      guard !leaving.isEmpty else { return }
      subscriptions.removeAll(where: isLeaving)
      for subscription in leaving { subscription.mailbox.close() }
      removed += leaving
    }
  }

  /// What is to be done once the state is let go.
  private struct Consequences {
    var readers: [TripSubscription] = []
    var cancelled: Task<Void, Never>?
    var isIdle = false
    var removed: [TripSubscription] = []
    var itself: TripModel?
  }

  /// `providers/{provider}/trips/{trip}`.
  public let tripName: String
  private let fetch: Fetch
  private let ticks: RefreshTicks
  private let whenIdle: @Sendable () -> Void
  private let whenGone: @Sendable (ObjectIdentifier) -> Void
  private let locked: Locked<State>

  init(
    tripName: String, ticks: RefreshTicks, whenIdle: @escaping @Sendable () -> Void = {},
    whenGone: @escaping @Sendable (ObjectIdentifier) -> Void = { _ in },
    fetch: @escaping Fetch
  ) {
    self.tripName = tripName
    self.ticks = ticks
    self.fetch = fetch
    self.whenIdle = whenIdle
    self.whenGone = whenGone
    locked = Locked(State(follower: TripFollower(name: tripName)))
  }

  deinit {
    whenGone(ObjectIdentifier(self))
  }

  // MARK: What is known

  public var state: TripModelState { snapshot.state }

  /// The trip as it was last received; nil until the first answer.
  public var currentTrip: Trip? { snapshot.held?.trip }

  /// Why the trip cannot be refreshed at present; nil when the last answer was a trip.
  public var failure: TripFailure? { snapshot.failure }

  /// Whether ``currentTrip`` is older than three intervals of refreshing, as they are now. It is never
  /// when the trip is over.
  public var isStale: Bool {
    var snapshot = snapshot
    snapshot.noticeAge(now: ticks.clock.now)
    return snapshot.isStale
  }

  /// When the server last said that the trip is as ``currentTrip`` has it. Its age is
  /// `.now - refreshed`.
  public var refreshed: ContinuousClock.Instant? { snapshot.refreshed }

  /// When the server is asked next, after errors or at its own wish later than in an interval. Nil
  /// while it is being asked, and when it is not asked any more.
  public var nextRefresh: ContinuousClock.Instant? { locked.withLock { $0.follower.nextPoll } }

  private var snapshot: TripSnapshot { locked.withLock { $0.follower.snapshot } }

  /// How the trip is followed. What is set counts from the next call on, which a shorter interval
  /// brings forward. Setting one of its fields sets them all: several threads that do so at the same
  /// time use ``updateOptions(_:)``.
  public var options: TripModelOptions {
    get { locked.withLock { $0.follower.options } }
    set { updateOptions { $0 = newValue } }
  }

  /// Changes options without losing what another thread sets meanwhile.
  ///
  /// - Parameter body: called at once, under the model's lock: it must not use the model.
  public func updateOptions(_ body: (inout TripModelOptions) -> Void) {
    change { body(&$0.options) }
  }

  /// Stops asking, as while an app is in the background. The subscribers stay.
  public func suspend() {
    change { [clock = ticks.clock] in $0.suspend(now: clock.now) }
  }

  /// Goes on after ``suspend()``, with a call at once.
  public func resume() {
    change { [clock = ticks.clock] in $0.resume(now: clock.now) }
  }

  // MARK: Subscribers

  /// Has a subscriber told on the main thread. It is held weakly. One that is registered again is told
  /// all that is known again.
  @MainActor public func register(_ subscriber: any TripModelSubscriber) {
    let told: @MainActor (TripModel, TripUpdate?) -> Bool = { [weak subscriber] model, update in
      tell(subscriber, update, of: model)
    }
    add(
      TripSubscription(ObjectIdentifier(subscriber), on: .main) { model, update in
        MainActor.assumeIsolated { told(model, update) }
      })
  }

  /// Has a subscriber told elsewhere.
  public func register(
    _ subscriber: any TripModelSubscriber & Sendable, on executor: CallbackExecutor
  ) {
    add(
      TripSubscription(ObjectIdentifier(subscriber), on: executor) {
        [weak subscriber] model, update in
        tell(subscriber, update, of: model)
      })
  }

  /// Has a subscriber told on the actor that it belongs to, which need not be Sendable:
  ///
  ///     actor Dispatcher {
  ///       private let board = Board()  // a class without any locks
  ///       func follow(_ model: TripModel) { model.register(board, on: self) }
  ///     }
  public func register(
    _ subscriber: any TripModelSubscriber, on actor: isolated any Actor
  ) {
    let subscriber = ActorSubscriber(subscriber)
    add(
      TripSubscription(subscriber.id, on: .actor(actor)) { model, update in
        subscriber.tell(update, of: model)
      })
  }

  /// Tells a subscriber nothing more, but to the end what it is being told at this moment elsewhere;
  /// when it was the last, the trip is not followed any more. May be called in its `deinit`: it is not
  /// retained.
  public func unregister(_ subscriber: AnyObject) {
    unsubscribe(ObjectIdentifier(subscriber))
  }

  /// Has updates told in place of calls.
  ///
  /// - Parameter tell: returns whether there is still somebody to tell; without an update that is all
  ///   it does.
  package func subscribe(
    _ id: ObjectIdentifier, on executor: CallbackExecutor,
    tell: @escaping @Sendable (TripModel, TripUpdate?) -> Bool
  ) {
    add(TripSubscription(id, on: executor, tell: tell))
  }

  package func unsubscribe(_ id: ObjectIdentifier) {
    update { state, _ in
      state.remove { $0.id == id }
    }
  }

  func add(_ subscription: TripSubscription) {
    update { state, now in
      state.remove { $0.id == subscription.id }
      state.subscriptions.append(subscription)
      if state.follower.snapshot.state == .inactive {
        state.follower.follow(at: ticks.placeForFirst(now))
      }
    }
  }

  /// Removes just this one, and not another that has come in its place.
  func remove(_ subscription: TripSubscription) {
    update { state, _ in
      state.remove { $0 === subscription }
    }
  }

  // MARK: Time

  /// Does what is due in a tick.
  func wake(in tick: Int64) {
    update { state, _ in
      if state.wakeUp?.tick == tick { state.wakeUp = nil }
    }
  }

  private func change(_ body: (inout TripFollower) -> Void) {
    update { state, _ in body(&state.follower) }
  }

  /// Changes the state, and sees to it that what follows from that is done.
  private func update(_ body: (inout State, ContinuousClock.Instant) -> Void) {
    let now = ticks.clock.now
    let consequences = locked.withLock { state in
      let before = state.follower.snapshot
      body(&state, now)
      if state.subscriptions.isEmpty { state.follower.unfollow() }
      state.follower.wake(now: now)
      return settle(&state, before)
    }
    consequences.cancelled?.cancel()
    if consequences.isIdle { whenIdle() }
    ticks.wake(consequences.readers, of: self)
  }

  private func settle(_ state: inout State, _ before: TripSnapshot) -> Consequences {
    var consequences = Consequences()
    let poll = state.follower.poll
    if let task = state.task, task.poll != poll?.id {
      consequences.cancelled = task.1
      state.task = nil
    }
    if let poll, state.task == nil {
      state.task = (poll.id, run(poll, state.follower.options.callOptions))
    }

    let time = state.follower.wakeTime
    if time != state.wakeUp?.time {
      if let wakeUp = state.wakeUp { ticks.remove(self, from: wakeUp.tick) }
      state.wakeUp = time.map { ($0, ticks.add(self, at: $0)) }
    }

    let snapshot = state.follower.snapshot
    consequences.isIdle = before.state == .active && snapshot.state == .inactive
    (consequences.itself, state.itself) = (state.itself, snapshot.state == .active ? self : nil)
    (consequences.removed, state.removed) = (state.removed, [])
    let isNews = snapshot.isNews(since: before)
    let isToTell = state.endsSilence(isNews, hasPolled: snapshot.hasPolled(since: before))
    for subscription in state.subscriptions
    where subscription.mailbox.post(snapshot, isNews: isToTell) {
      consequences.readers.append(subscription)
    }
    return consequences
  }

  private func run(_ poll: TripFollower.Poll, _ options: CallOptions) -> Task<Void, Never> {
    Task(executorPreference: ticks.executor) {
      self.take(await self.fetch(poll.request, options), for: poll.id)
    }
  }

  private func take(_ answer: Answer, for poll: UInt64) {
    let result = answer()
    let random = Double.random(in: 0..<1)
    update { state, now in
      switch result {
      case .success(let trip): state.follower.answered(poll, trip, now: now, random: random)
      case .failure(let error): state.follower.failed(poll, error, now: now, random: random)
      }
    }
  }
}
