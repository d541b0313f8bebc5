import WireIO
import WireSystem

@testable import Tripwire
@testable import WireIO

/// The loop of all pollers with virtual time. It runs as long as the tests.
let testLoop = try! EventLoop.start(name: "virtual time")

extension ResourcePoller {
  init(clock: VirtualClock) {
    self.init(loop: testLoop, clock: clock)
  }
}

/// A clock that moves only when a test advances it. Its timers fire on the loop of the tests, where
/// it lives itself.
actor VirtualClock: RefreshClock {
  private let time = Locked(ContinuousClock.now)
  private var timers: [LoopTimer] = []
  private var isOver = false
  private var watchers: [CheckedContinuation<Void, Never>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    testLoop.asUnownedSerialExecutor()
  }

  nonisolated var now: ContinuousClock.Instant { time.withLock { $0 } }

  nonisolated func schedule(
    at instant: ContinuousClock.Instant, on loop: EventLoop, _ body: @escaping () -> Void
  ) -> LoopTimer {
    // Safe because only the loop uses timers, and this is called on the loop.
    nonisolated(unsafe) let timer = LoopTimer(instant, body)
    assumeIsolated { $0.add(timer) }
    return timer
  }

  private func add(_ timer: LoopTimer) {
    timers.append(timer)
    for watcher in watchers { watcher.resume() }
    watchers = []
    if isOver { Task { fireAll() } }
  }

  private var waiting: [LoopTimer] { timers.filter { !$0.isOver } }

  /// The number of timers that wait.
  var timerCount: Int { waiting.count }

  /// The instants of the timers that wait.
  var instants: Set<ContinuousClock.Instant> { Set(waiting.map(\.instant)) }

  /// Waits until there is a timer. Returns the time until the first one is due.
  func nextWake() async -> Duration {
    while true {
      if let next = waiting.map(\.instant).min() { return next - now }
      await withCheckedContinuation { watchers.append($0) }
    }
  }

  /// Fires all timers that are due by then.
  func advance(by duration: Duration) {
    time.withLock { $0 += duration }
    let due = timers.filter { $0.instant <= now }
    timers.removeAll { $0.instant <= now || $0.isOver }
    for timer in due { timer.fire() }
  }

  /// Fires all timers, also those that are still to come, to end models that a test left active.
  func end() {
    isOver = true
    fireAll()
  }

  private func fireAll() {
    advance(by: max(.zero, (waiting.map(\.instant).max() ?? now) - now))
  }
}
