import Tripwire
import WireGRPC

/// Until when the polls of each provider are delayed.
struct ProviderDelays: Sendable {
  static let longest = Duration.seconds(600)

  private var ends: [String: ContinuousClock.Instant] = [:]

  /// The end of a delay that is not over; nil if there is none.
  func end(of provider: String, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    ends[provider].flatMap { $0 > now ? $0 : nil }
  }

  /// Returns whether the delay becomes longer.
  mutating func delay(
    _ provider: String, until end: ContinuousClock.Instant,
    at now: ContinuousClock.Instant
  ) -> Bool {
    guard end > self.end(of: provider, at: now) ?? now else { return false }
    ends = ends.filter { $0.value > now }
    ends[provider] = end
    return true
  }

  /// Learns from a failed poll.
  ///
  /// - Returns: the delay that the server asks for; nil if it asks for none, or for hardly more than before.
  mutating func delay(
    _ provider: String, after failure: RefreshFailure, at now: ContinuousClock.Instant
  ) -> Duration? {
    guard failure.error.code == .resourceExhausted, failure.error.origin == .server else {
      return nil
    }
    let delay = min(max(.zero, failure.error.details.retryDelay ?? .zero), Self.longest)
    let known = end(of: provider, at: now).map { $0 - now } ?? .zero
    guard delay > known * 1.2, self.delay(provider, until: now + delay, at: now) else { return nil }
    return delay
  }
}
