/// The state of a followed resource at one time.
struct ResourceSnapshot<Resource: FollowedResource>: Sendable {
  var state = FollowingState.inactive
  private(set) var held: ReceivedResource<Resource>?
  var failure: RefreshFailure? { boxedFailure.value }
  /// Boxed, because each resource has several snapshots, and most have no failure.
  private var boxedFailure = BoxedOptional<RefreshFailure>.none
  /// When the resource was last received or confirmed to be unchanged.
  var refreshed: ContinuousClock.Instant? { storedRefreshed?.instant }
  private var storedRefreshed: StoredInstant?
  /// When the poll of the resource began; nil if another process polled it.
  var pollBegan: ContinuousClock.Instant? { storedPollBegan?.instant }
  private var storedPollBegan: StoredInstant?
  private(set) var isStale = false
  /// The expected time between responses.
  var refreshInterval = ResourceModelOptions<Resource>.defaultRefreshInterval {
    didSet { endOfFreshness = findEndOfFreshness() }
  }
  /// When three responses are overdue; nil before the first response, and if no more are expected.
  private var endOfFreshness: StoredInstant?

  init() {}

  init(
    state: FollowingState, resource: Resource?, failure: RefreshFailure?, isStale: Bool,
    refreshed: ContinuousClock.Instant?
  ) {
    self.state = state
    held = resource.map { ReceivedResource($0) }
    boxedFailure = BoxedOptional(failure)
    self.isStale = isStale
    storedRefreshed = refreshed.map(StoredInstant.init)
  }

  /// - Parameter began: when the poll began; nil if another process polled.
  mutating func refresh(
    _ held: ReceivedResource<Resource>, began: ContinuousClock.Instant?,
    now: ContinuousClock.Instant
  ) {
    self.held = held
    storedPollBegan = began.map(StoredInstant.init)
    boxedFailure = .none
    storedRefreshed = StoredInstant(now)
    isStale = false
    endOfFreshness = findEndOfFreshness()
  }

  /// Takes what a source knows.
  mutating func take(_ report: ResourceReport<Resource>, now: ContinuousClock.Instant) {
    if let resource = report.resource {
      if held?.resource != resource { held = ReceivedResource(resource) }
      let confirmed = now - max(.zero, report.age)
      // Ages are not exact, and a resource that was confirmed later is known to be newer.
      storedRefreshed = StoredInstant(max(refreshed ?? confirmed, confirmed))
    }
    if let interval = report.refreshInterval { refreshInterval = interval }
    if report.isSourceDisconnected, let end = endOfFreshness {
      endOfFreshness = min(end, StoredInstant(now))
    }
    let last = failure
    boxedFailure = BoxedOptional(
      report.failure.map {
        RefreshFailure($0.error, since: $0.since, count: $0.count, after: last)
      })
    noticeAge(now: now)
  }

  /// When the resource becomes stale; nil if it is stale.
  var staleTime: StoredInstant? { isStale ? nil : endOfFreshness }

  private func findEndOfFreshness() -> StoredInstant? {
    guard let storedRefreshed, held?.resource.isFinal == false else { return nil }
    return storedRefreshed + RefreshSchedule.bounded(refreshInterval) * 3
  }

  mutating func fail(_ error: CallError, now: ContinuousClock.Instant) {
    boxedFailure = .some(RefreshFailure(error, since: now, count: nil, after: failure))
    noticeAge(now: now)
  }

  /// Whether a reader that knows the other snapshot may have to be notified of this one. A confirmed,
  /// unchanged resource needs no notification.
  func isNews(since other: ResourceSnapshot) -> Bool {
    state != other.state || held !== other.held || isStale != other.isStale
      || failure.isNews(since: other.failure)
  }

  /// Whether a poll ended since the other snapshot.
  func hasPolled(since other: ResourceSnapshot) -> Bool {
    storedRefreshed != other.storedRefreshed || failure != other.failure
  }

  mutating func noticeAge(now: ContinuousClock.Instant) {
    isStale = endOfFreshness.map { $0 <= StoredInstant(now) } ?? false
  }
}
