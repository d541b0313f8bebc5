/// Lets pages with the same version share one encoded event.
struct EventCache {
  typealias Event = (bytes: SharedBytes, version: Int)

  private var events: [Int: Event] = [:]
  private var encoded = ContinuousClock.now

  /// Events that stopped pages hold are not counted.
  private static let limit = 16
  /// The time in an event must be about the present one.
  private static let lifetime = Duration.milliseconds(100)

  mutating func removeAll() { events.removeAll() }

  /// Returns the event for pages of that version; encodes it if there is none.
  mutating func event(
    after version: Int, now: ContinuousClock.Instant, encode: () -> (bytes: [UInt8], version: Int)
  ) -> Event {
    if events.count >= Self.limit || now - encoded > Self.lifetime { events.removeAll() }
    if let event = events[version] { return event }
    if events.isEmpty { encoded = now }
    let fresh = encode()
    let event = (SharedBytes(fresh.bytes), fresh.version)
    events[version] = event
    return event
  }
}
