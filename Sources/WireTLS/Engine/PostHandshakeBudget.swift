/// A limit on the messages that a peer sends after the TLS handshake: KeyUpdate and
/// NewSessionTicket (RFC 8446 section 4.6), HelloRequest (RFC 5246) and alerts.
///
/// OpenSSL limits none of these, and each costs more than a record of data. Peers send a few tickets,
/// and new keys after gigabytes. Time restores the budget, so a long connection lives on. The clock is
/// read only when the budget is used up.
struct PostHandshakeBudget {
  static let burst = 100
  static let refillPerSecond = 1

  private var left = Self.burst
  private var lastRefill: ContinuousClock.Instant

  init(now: ContinuousClock.Instant) { lastRefill = now }

  /// A message came in, or went out because of one.
  mutating func charge() { left -= 1 }

  /// Whether the connection has to end.
  mutating func isExhausted(now: () -> ContinuousClock.Instant) -> Bool {
    guard left < 0 else { return false }
    let time = now()
    let seconds = Int(clamping: (time - lastRefill).components.seconds)
    let refill = min(seconds, Self.burst) * Self.refillPerSecond
    guard refill > 0 else { return true }
    lastRefill = time
    left = min(left + refill, Self.burst)
    return left < 0
  }
}
