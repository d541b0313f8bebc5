/// The time that polls go by.
protocol RefreshClock: Sendable {
  var now: ContinuousClock.Instant { get }
  /// - Throws: CancellationError when the task is cancelled.
  func sleep(until instant: ContinuousClock.Instant) async throws
}

extension ContinuousClock: RefreshClock {
  func sleep(until instant: Instant) async throws {
    try await sleep(until: instant, tolerance: nil)
  }
}
