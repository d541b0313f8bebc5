import Tripwire
import WireIO
import WireSystem

/// Time that moves only when a test advances it.
///
///     let clock = VirtualClock()
///     let fleet = FleetEmulator(provider: "p", clock: clock)
///     await clock.advance(by: .seconds(60))
///
/// Polls, timeouts, retries and vehicles follow it, so that an hour passes in less than a second. Pass it as
/// `any Clock<Duration>` to code of your own that waits.
public final class VirtualClock: Clock, Sendable {
  /// The time of day at which it begins: 2027-01-15 08:00:00 UTC.
  static let epoch = Timestamp(seconds: 1_800_000_000)

  private let time = VirtualTime()
  private let start: ContinuousClock.Instant
  /// When the advances that have begun end.
  private let end: Locked<ContinuousClock.Instant>
  /// Nil if the system has no thread left.
  let loop: EventLoop?

  /// Creates a clock that stands still.
  public init() {
    start = time.now
    end = Locked(time.now)
    loop = try? EventLoop.start(name: "virtual time", virtualTime: time)
  }

  deinit { loop?.stop() }

  /// The present time.
  public var now: ContinuousClock.Instant { time.now }

  /// The smallest time that the clock tells apart, 1 ns.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The present time of day.
  var timestamp: Timestamp { Self.epoch + (now - start) }

  /// Advances the time from one event to the next: all that is due at one time is done before it moves on.
  ///
  /// It stops when the task is canceled, and at the end of the year 9998. Simultaneous advances add up. When it
  /// returns, the awaiting actor, such as the main actor, has done its work.
  public func advance(by duration: Duration) async {
    guard let loop else { return }
    let end = end.withLock {
      let begin = max($0, now)
      let rest = EmulatorTime.latest - (Self.epoch + (begin - start))
      $0 = begin + min(max(duration, .zero), rest)
      return $0
    }
    while true {
      let next = await settle(loop)
      guard !Task.isCancelled else {
        self.end.withLock { $0 -= max(end - now, .zero) }
        return
      }
      guard let next, next <= end else { break }
      time.advance(to: next)
    }
    time.advance(to: end)
  }

  /// Waits until the loop and the present actor have done what is due. Returns when the next timer is due.
  private func settle(_ loop: EventLoop) async -> ContinuousClock.Instant? {
    var next = await time.idle(loop)
    // The actor may cause calls, and their answers more work of the actor.
    for _ in 0..<2 {
      for _ in 0..<5 { await Task.yield() }
      next = await time.idle(loop)
    }
    return next
  }

  /// Waits until the time has been advanced to a deadline.
  ///
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil)
    async throws
  {
    guard let loop, await loop.sleep(until: deadline) else { throw CancellationError() }
  }
}
