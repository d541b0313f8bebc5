/// Until when the polls of each provider are delayed.
struct ProviderDelays: Sendable {
  private var ends: [String: ContinuousClock.Instant] = [:]

  /// The end of a delay that is not over; nil if there is none.
  func end(of provider: String, at now: ContinuousClock.Instant = .now)
    -> ContinuousClock.Instant?
  {
    ends[provider].flatMap { $0 > now ? $0 : nil }
  }

  /// Returns whether the delay becomes longer.
  mutating func delay(
    _ provider: String, until end: ContinuousClock.Instant,
    at now: ContinuousClock.Instant = .now
  ) -> Bool {
    guard end > self.end(of: provider, at: now) ?? now else { return false }
    ends[provider] = end
    return true
  }
}
