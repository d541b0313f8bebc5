/// Whether a trip is being followed. The raw values are the Consumer SDK's.
public enum TripModelState: Int, Sendable, Hashable {
  /// Not yet followed, or no longer.
  case inactive = 0
  /// The server is polled.
  case active = 1
}

/// Why a trip currently cannot be refreshed.
public struct TripFailure: Sendable, Hashable {
  /// The last error. Its `kind` indicates whether it is temporary or the app has to fix something.
  public let error: CallError
  /// When the first of the consecutive failures with this code and origin occurred.
  public let since: ContinuousClock.Instant
  /// The number of consecutive polls that failed in this way.
  public let count: Int

  /// For previews and tests.
  public init(error: CallError, since: ContinuousClock.Instant = .now, count: Int = 1) {
    self.error = error
    self.since = since
    self.count = count
  }
}

extension TripFailure {
  /// Creates the failure that follows the last one, and continues it if both have the same code and
  /// origin.
  ///
  /// - Parameter count: nil if nobody has counted the failures. A count below the last one means that the
  ///   last one ended in between.
  fileprivate init(
    _ error: CallError, since: ContinuousClock.Instant, count: Int?, after last: TripFailure?
  ) {
    guard let last, last.error.isSimilar(to: error) else {
      self.init(error: error, since: since, count: count ?? 1)
      return
    }
    let count = count ?? last.count + 1
    self.init(error: error, since: count < last.count ? since : last.since, count: count)
  }
}

extension TripFailure? {
  /// Whether a reader that knows the other failure must be notified of this one, because it began
  /// later or is different.
  func isNews(since other: TripFailure?) -> Bool {
    guard let self, let other else { return (self == nil) != (other == nil) }
    return self.since != other.since || !self.error.isSameFailure(as: other.error)
  }
}

/// The state of a followed trip at one time.
struct TripSnapshot: Sendable {
  private enum Health {
    case well
    /// Indirect, because each trip has several snapshots, and most have no failure.
    indirect case failing(TripFailure)
  }

  var state = TripModelState.inactive
  private(set) var held: HeldTrip?
  private var health = Health.well
  /// When the trip was last received or confirmed to be unchanged.
  private(set) var refreshed: ContinuousClock.Instant?
  private(set) var isStale = false
  /// The expected time between responses.
  var refreshInterval = TripModelOptions.defaultRefreshInterval {
    didSet { endOfFreshness = findEndOfFreshness() }
  }
  /// When three responses are overdue; nil if there was none, or no more are expected.
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

  /// Takes what a source knows.
  mutating func take(_ report: TripReport, now: ContinuousClock.Instant) {
    if let trip = report.trip {
      if held?.trip != trip { held = HeldTrip(trip) }
      let confirmed = now - max(.zero, report.age)
      // Ages are not exact, and a trip that was confirmed later is known to be newer.
      refreshed = max(refreshed ?? confirmed, confirmed)
    }
    if let interval = report.refreshInterval { refreshInterval = interval }
    if report.isCutOff, let end = endOfFreshness { endOfFreshness = min(end, now) }
    let last = failure
    health =
      report.failure.map {
        .failing(TripFailure($0.error, since: $0.since, count: $0.count, after: last))
      } ?? .well
    noticeAge(now: now)
  }

  /// When the trip becomes stale; nil if it is stale.
  var staleTime: ContinuousClock.Instant? { isStale ? nil : endOfFreshness }

  private func findEndOfFreshness() -> ContinuousClock.Instant? {
    guard let refreshed, held?.trip.tripStatus.isFinal == false else { return nil }
    return refreshed + RefreshSchedule.bounded(refreshInterval) * 3
  }

  var failure: TripFailure? {
    if case .failing(let failure) = health { failure } else { nil }
  }

  mutating func fail(_ error: CallError, now: ContinuousClock.Instant) {
    health = .failing(TripFailure(error, since: now, count: nil, after: failure))
    noticeAge(now: now)
  }

  /// Whether a reader that knows the other snapshot may have to be notified of this one. A confirmed,
  /// unchanged trip needs no notification.
  func isNews(since other: TripSnapshot) -> Bool {
    state != other.state || held !== other.held || isStale != other.isStale
      || failure.isNews(since: other.failure)
  }

  /// Whether a poll ended since the other snapshot.
  func hasPolled(since other: TripSnapshot) -> Bool {
    refreshed != other.refreshed || failure != other.failure
  }

  mutating func noticeAge(now: ContinuousClock.Instant) {
    isStale = endOfFreshness.map { $0 <= now } ?? false
  }
}
