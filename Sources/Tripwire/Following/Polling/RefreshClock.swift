import WireIO

/// The clock and the timers of polls.
protocol RefreshClock: Sendable {
  var now: ContinuousClock.Instant { get }
  /// Runs `body` on the loop at `instant` or shortly after it. Called on the loop only.
  func schedule(
    at instant: ContinuousClock.Instant, on loop: EventLoop, _ body: @escaping () -> Void
  ) -> LoopTimer
}

extension EventLoop: RefreshClock {
  func schedule(
    at instant: ContinuousClock.Instant, on loop: EventLoop, _ body: @escaping () -> Void
  ) -> LoopTimer {
    loop.schedule(at: instant, body)
  }
}
