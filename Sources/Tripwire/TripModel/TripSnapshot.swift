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
  public var error: CallError
  /// When the first failed of those that failed in this way.
  public var since: ContinuousClock.Instant
  /// How many polls failed in this way, one after another.
  public var count: Int
}

/// All that is known of a followed trip at a time.
struct TripSnapshot: Sendable {
  var state = TripModelState.inactive
  private(set) var held: HeldTrip?
  private(set) var failure: TripFailure?
  /// When the trip was last received, or found to be unchanged.
  private(set) var refreshed: ContinuousClock.Instant?
  private(set) var isStale = false
  /// When it will be stale, unless it is.
  private(set) var staleTime: ContinuousClock.Instant?

  mutating func refresh(
    _ held: HeldTrip, now: ContinuousClock.Instant, staleAfter: Duration
  ) {
    self.held = held
    failure = nil
    refreshed = now
    isStale = false
    staleTime = now + staleAfter
  }

  mutating func fail(_ error: CallError, now: ContinuousClock.Instant) {
    if let failure, failure.error.code == error.code, failure.error.origin == error.origin {
      self.failure = TripFailure(error: error, since: failure.since, count: failure.count + 1)
    } else {
      failure = TripFailure(error: error, since: now, count: 1)
    }
    noticeAge(now: now)
  }

  /// Whether a reader who was told of the other may have to hear of this one.
  func differs(from other: TripSnapshot) -> Bool {
    state != other.state || refreshed != other.refreshed || isStale != other.isStale
      || failure?.since != other.failure?.since || failure?.count != other.failure?.count
  }

  mutating func noticeAge(now: ContinuousClock.Instant) {
    guard let time = staleTime, time <= now else { return }
    isStale = true
    staleTime = nil
  }
}
