import WireIO

@testable import Tripwire

extension ResourcePoller {
  init(clock: VirtualClock) {
    self.init(loop: clock.loop)
  }
}

/// A loop whose time moves only when a test advances it.
struct VirtualClock: Sendable {
  private let time = VirtualTime()
  let loop: EventLoop

  init() {
    loop = try! EventLoop.start(name: "virtual time", virtualTime: time)
  }

  var now: ContinuousClock.Instant { time.now }

  /// Whether no timer waits.
  var hasNoTimer: Bool { get async { await time.idle(loop) == nil } }

  /// Waits until there is a timer. Returns the time until the first one is due.
  func nextWake() async -> Duration {
    while true {
      if let next = await time.idle(loop) { return next - now }
      await Task.yield()
    }
  }

  /// Fires all timers that are due by then.
  func advance(by duration: Duration) async {
    time.advance(to: now + duration)
    _ = await time.idle(loop)
  }

  /// Ends the loop, and with it the polls of models that a test left active.
  func end() { loop.stop() }
}
