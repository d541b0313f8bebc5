import WireGRPC

/// Decides when a resource is polled next.
///
/// After a response or a client error the next poll is one interval later. Each resource gets its own
/// place in the interval after the first response, so that thousands of resources that start together
/// are spread over it. After server and network errors the pauses grow. A delay that the server
/// asks for is obeyed in either case.
struct RefreshSchedule: Sendable {
  static let shortestInterval = Duration.milliseconds(100)
  private static let longestInterval = Duration.seconds(86_400)
  /// Pauses after errors grow to this, or to the interval if that is longer.
  fileprivate static let longestBackoff = Duration.seconds(30)

  private var isSpread = false
  private var failures = 0

  /// Returns when the next poll is due after a response.
  ///
  /// - Parameter random: from 0 up to 1.
  mutating func answered(
    began: ContinuousClock.Instant, now: ContinuousClock.Instant, interval: Duration, random: Double
  ) -> ContinuousClock.Instant {
    failures = 0
    return next(after: began, now: now, interval: interval, random: random)
  }

  /// Returns when the next poll is due after an error.
  mutating func failed(
    _ error: CallError, began: ContinuousClock.Instant, now: ContinuousClock.Instant,
    interval: Duration, random: Double
  ) -> ContinuousClock.Instant {
    if error.kind == .client {
      failures = 0
      let next = next(after: began, now: now, interval: interval, random: random)
      if case .refused(_, let wait?, let isOnly)? = error.refusedToken {
        // Calls are not sent before that time. The source is asked then, also before the interval ends.
        let end = now + wait * (1 + random / 10)
        return isOnly ? max(next, end) : end
      }
      return error.requestedDelay.map { max(next, now + $0 * (1 + random / 10)) } ?? next
    }
    failures += 1
    if let delay = error.requestedDelay {
      // A server cannot ask for polls without a pause.
      let least = failures > 1 ? Self.bounded(interval) : .zero
      return now + max(delay, least) * (1 + random / 10)
    }
    let first = max(Self.bounded(interval), .seconds(1))
    return now
      + Backoff.pause(
        after: failures, first: first, longest: max(Self.longestBackoff, first), random: random)
  }

  private mutating func next(
    after began: ContinuousClock.Instant, now: ContinuousClock.Instant, interval: Duration,
    random: Double
  ) -> ContinuousClock.Instant {
    let interval = Self.bounded(interval)
    var gap = interval * (isSpread ? 0.95 + random / 10 : random)
    isSpread = true
    gap = max(gap, Self.shortestInterval)
    return max(began + gap, now)
  }

  static func bounded(_ interval: Duration) -> Duration {
    min(max(interval, shortestInterval), longestInterval)
  }
}

extension CallError {
  /// The delay that the server asks for: at least a tenth of a second, at most ten minutes. A
  /// server that forbids retries of the call does not end the polling.
  package var requestedDelay: Duration? {
    var delay: Duration?
    switch retryPushback {
    case .after(let pushback): delay = pushback
    case .never: delay = RefreshSchedule.longestBackoff
    case nil: break
    }
    if let asked = details.retryDelay { delay = max(delay ?? .zero, asked) }
    return delay.map { min(max($0, RefreshSchedule.shortestInterval), .seconds(600)) }
  }
}
