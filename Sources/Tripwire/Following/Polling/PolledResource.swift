import WireIO
import WireSystem

/// The state of a model: the resource, how it is followed, and its subscriptions.
///
/// Locked, because any thread may use a model and reads the current state without waiting. A
/// ``ResourcePoller`` acts on changes, on its loop. Separate from the model, because registries hold that
/// weakly, and reference counting is slow for objects that ever had a weak reference.
final class PolledResource<Resource: FollowedResource>: Sendable {
  private struct State {
    var follower: ResourceFollower<Resource>
    var subscriptions: [ModelSubscription<Resource>] = []
    /// The model while the resource is followed, because nobody else may hold it.
    var model: ResourceModel<Resource>?
    /// Removed subscriptions, released after the lock, because their release may run code of the app.
    var removed: [ModelSubscription<Resource>] = []
    /// The number of consecutive polls without a change.
    var silence = 0
    /// The number of polls without a change after which subscribers are woken anyway, to detect
    /// released ones.
    private static var longestSilence: Int { 12 }

    mutating func endsSilence(_ isNews: Bool, hasPolled: Bool) -> Bool {
      if hasPolled { silence += 1 }
      guard isNews || silence == Self.longestSilence else { return false }
      silence = 0
      return true
    }

    mutating func remove(where isLeaving: (ModelSubscription<Resource>) -> Bool) {
      let leaving = subscriptions.filter(isLeaving)
      guard !leaving.isEmpty else { return }
      subscriptions.removeAll(where: isLeaving)
      for subscription in leaving { subscription.pendingUpdate.close() }
      removed += leaving
    }
  }

  /// The work for the poller after a change.
  struct Outcome: Sendable {
    /// The poll that is due or in flight.
    let pollID: UInt64?
    /// When to wake the follower next.
    let wakeTime: StoredInstant?
    let isActive: Bool
    /// Whether a source must report the resource.
    let isReceiving: Bool
    /// Subscriptions whose readers wait for an update.
    var readers: [ModelSubscription<Resource>] = []
    /// The model of the readers; nil if there are none.
    var model: ResourceModel<Resource>?

    /// - Parameter follower: inout to avoid a copy.
    fileprivate init(_ follower: inout ResourceFollower<Resource>) {
      pollID = follower.poll?.id
      wakeTime = follower.wakeTime
      isActive = follower.snapshot.state == .active
      isReceiving = follower.isReceiving
    }

    /// Whether the poller has work that it did not have before.
    fileprivate func isNew(since before: Outcome) -> Bool {
      pollID != before.pollID || wakeTime != before.wakeTime || isActive != before.isActive
        || isReceiving != before.isReceiving || !readers.isEmpty
    }
  }

  /// Where the resource comes from.
  enum Origin: Sendable {
    case server(ResourceFetch<Resource>)
    /// Makes a source report the resource, and returns a closure that stops it.
    case source(
      @Sendable (_ report: @escaping @Sendable (ResourceReport<Resource>) -> Void) ->
        @Sendable () -> Void)

    var isPolled: Bool { if case .server = self { true } else { false } }
  }

  let name: String
  let origin: Origin
  /// Nil if there is none to poll on.
  private let loop: EventLoop?
  /// Makes the poller adapt to a change. A closure, because it is created where the type of the resource is known,
  /// so that polls run specialized code (docs/decisions/fleet/polls-without-tasks.md).
  private let whenChanged: @Sendable (PolledResource, Outcome) -> Void
  private let whenIdle: @Sendable () -> Void
  private let state: Locked<State>

  /// - Parameters:
  ///   - poller: nil if there is no loop to poll on; then the resource is never received.
  ///   - whenIdle: called when the resource is no longer followed.
  init(
    name: String, poller: ResourcePoller<Resource>?, whenIdle: @escaping @Sendable () -> Void = {},
    _ origin: Origin
  ) {
    self.name = name
    loop = poller?.loop
    whenChanged = { poller?.resourceChanged($0, $1) }
    self.whenIdle = whenIdle
    self.origin = origin
    state = Locked(State(follower: ResourceFollower(name: name, isPolled: origin.isPolled)))
  }

  var now: ContinuousClock.Instant { loop?.now ?? .now }
  var snapshot: ResourceSnapshot<Resource> { state.withLock { $0.follower.snapshot } }
  var options: ResourceModelOptions<Resource> { state.withLock { $0.follower.options } }
  var nextPoll: ContinuousClock.Instant? { state.withLock { $0.follower.nextPoll } }
  var pollStatus: PollStatus { state.withLock { $0.follower.pollStatus } }

  // MARK: Any thread

  /// Changes how the resource is followed.
  func change(_ body: (inout ResourceFollower<Resource>, ContinuousClock.Instant) -> Void) {
    changeState { body(&$0.follower, $1) }
  }

  func add(_ subscription: ModelSubscription<Resource>, of model: ResourceModel<Resource>) {
    changeState { state, now in
      state.remove { $0.id == subscription.id }
      state.subscriptions.append(subscription)
      state.model = model
      state.follower.follow(at: now)
    }
  }

  func remove(where isLeaving: (ModelSubscription<Resource>) -> Bool) {
    changeState { state, _ in state.remove(where: isLeaving) }
  }

  /// Ends following for good, with a failure unless the resource is final.
  func close() {
    let error = CallError.closedServices(path: Resource.getMethod.path)
    change { $0.close(error, now: $1) }
  }

  private func changeState(_ body: (inout State, ContinuousClock.Instant) -> Void) {
    let now = now
    let (before, after) = release { state in
      let snapshot = state.follower.snapshot
      let before = Outcome(&state.follower)
      body(&state, now)
      if state.subscriptions.isEmpty { state.follower.unfollow() }
      return (before, Self.settle(&state, since: snapshot))
    }
    if before.isActive, !after.isActive { whenIdle() }
    if after.isNew(since: before) { whenChanged(self, after) }
  }

  // MARK: The loop

  /// The poll in flight, and the options of its call.
  var poll: (ResourceFollower<Resource>.Poll, CallOptions)? {
    state.withLock { state in
      state.follower.poll.map { ($0, state.follower.options.callOptions) }
    }
  }

  /// The fingerprint of a response that changes nothing; nil if none is known.
  var lastExchange: ExchangeFingerprint? { state.withLock { $0.follower.lastExchange } }

  func delayPoll(until instant: ContinuousClock.Instant) {
    state.withLock { $0.follower.delayPoll(until: instant) }
  }

  /// Changes the resource after a response or at the end of a wait.
  func update(_ body: (inout ResourceFollower<Resource>, ContinuousClock.Instant) -> Void)
    -> Outcome
  {
    let now = now
    let (outcome, wasActive) = release { state in
      let snapshot = state.follower.snapshot
      body(&state.follower, now)
      return (Self.settle(&state, since: snapshot), snapshot.state == .active)
    }
    if wasActive, !outcome.isActive { whenIdle() }
    return outcome
  }

  // MARK: Both

  /// Runs `body` under the lock and then releases the removed subscriptions, which may run code of the
  /// app.
  private func release<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, removed) = state.withLock { state in
      let result = body(&state)
      defer { state.removed = [] }
      return (result, state.removed)
    }
    withExtendedLifetime(removed) {}
    return result
  }

  private static func settle(_ state: inout State, since before: ResourceSnapshot<Resource>)
    -> Outcome
  {
    let snapshot = state.follower.snapshot
    var outcome = Outcome(&state.follower)
    let isNews = snapshot.isNews(since: before)
    let shouldNotify = state.endsSilence(isNews, hasPolled: snapshot.hasPolled(since: before))
    for subscription in state.subscriptions
    where subscription.pendingUpdate.post(snapshot, isNews: shouldNotify) {
      outcome.readers.append(subscription)
    }
    if !outcome.readers.isEmpty || !outcome.isActive { outcome.model = state.model }
    if !outcome.isActive { state.model = nil }
    return outcome
  }
}
