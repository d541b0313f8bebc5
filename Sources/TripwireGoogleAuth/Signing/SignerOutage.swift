/// Pauses calls to the signer after it was unavailable or timed out: 1 s, then 2, 4, 8 and 10 s while it keeps failing.
struct SignerOutage {
  private static let longest = 10.0

  private var pause = 0.5
  /// The end of the pause in seconds of uptime, and the failure.
  private var last: (end: Double, failure: any Error)?

  /// Returns the failure during a pause; nil if the signer may be called.
  func failure(at uptime: Double) -> (any Error)? {
    last.flatMap { uptime < $0.end ? $0.failure : nil }
  }

  mutating func fail(_ failure: any Error, at uptime: Double) {
    // Calls that began before the first failure do not prolong the pause.
    guard self.failure(at: uptime) == nil else { return }
    pause = min(2 * pause, Self.longest)
    last = (uptime + pause, failure)
  }

  mutating func succeed() { self = SignerOutage() }
}
