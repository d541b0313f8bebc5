/// Whether a trip is being followed. The numbers are the Consumer SDK's.
public enum TripModelState: Int, Sendable, Hashable {
  /// Not yet, or not any more.
  case inactive = 0
  /// The server is asked for it.
  case active = 1
}

/// Why a trip cannot be refreshed at present.
public struct TripFailure: Sendable, Hashable {
  /// The last. Its `kind` says whether it passes by itself or the app has to mend something.
  public let error: CallError
  /// When the first failed of those that failed in this way: with this code, found by the same side.
  public let since: ContinuousClock.Instant
  /// How many polls failed in this way, one after another.
  public let count: Int

  /// For previews and tests.
  public init(error: CallError, since: ContinuousClock.Instant = .now, count: Int = 1) {
    self.error = error
    self.since = since
    self.count = count
  }
}

extension TripFailure? {
  /// Whether a reader who knows of the other has to be notified of this one: it began later, or is
  /// another failure.
  func isNews(since other: TripFailure?) -> Bool {
    guard let self, let other else { return (self == nil) != (other == nil) }
    return self.since != other.since || !self.error.isSameFailure(as: other.error)
  }
}

/// All that is known of a followed trip at a time.
struct TripSnapshot: Sendable {
  private enum Health {
    case well
    /// Apart, as of each trip there are several snapshots, and most are well.
    indirect case failing(TripFailure)
  }

  var state = TripModelState.inactive
  private(set) var held: HeldTrip?
  private var health = Health.well
  /// When the trip was last received, or found to be unchanged.
  private(set) var refreshed: ContinuousClock.Instant?
  private(set) var isStale = false
  /// How often an answer is expected.
  var refreshInterval = TripModelOptions.defaultRefreshInterval {
    didSet { endOfFreshness = findEndOfFreshness() }
  }
  /// When three answers have not come; nil where there was none, or no other is awaited.
  private var endOfFreshness: ContinuousClock.Instant?

  init() {}

  init(
    state: TripModelState, trip: Trip?, failure: TripFailure?, isStale: Bool,
    refreshed: ContinuousClock.Instant?
  ) {
    self.state = state
    held = trip.map { HeldTrip($0) }
    if let failure { health = .failing(failure) }
    self.isStale = isStale
    self.refreshed = refreshed
  }

  mutating func refresh(_ held: HeldTrip, now: ContinuousClock.Instant) {
    self.held = held
    health = .well
    refreshed = now
    isStale = false
    endOfFreshness = findEndOfFreshness()
  }

  /// When it will be stale, unless it is.
  var staleTime: ContinuousClock.Instant? { isStale ? nil : endOfFreshness }

  private func findEndOfFreshness() -> ContinuousClock.Instant? {
    guard let refreshed, held?.trip.tripStatus.isFinal == false else { return nil }
    return refreshed + RefreshSchedule.bounded(refreshInterval) * 3
  }

  var failure: TripFailure? {
    if case .failing(let failure) = health { failure } else { nil }
  }

  mutating func fail(_ error: CallError, now: ContinuousClock.Instant) {
    var (since, count) = (now, 1)
    if let failure, failure.error.isSimilar(to: error) {
      (since, count) = (failure.since, failure.count + 1)
    }
    health = .failing(TripFailure(error: error, since: since, count: count))
    noticeAge(now: now)
  }

  /// Whether a reader who was told of the other may have to hear of this one. That all is as it was
  /// nobody has to hear.
  func isNews(since other: TripSnapshot) -> Bool {
    state != other.state || held !== other.held || isStale != other.isStale
      || failure.isNews(since: other.failure)
  }

  /// Whether the server was asked since the other, and has answered, or not.
  func hasPolled(since other: TripSnapshot) -> Bool {
    refreshed != other.refreshed || failure != other.failure
  }

  mutating func noticeAge(now: ContinuousClock.Instant) {
    isStale = endOfFreshness.map { $0 <= now } ?? false
  }
}
