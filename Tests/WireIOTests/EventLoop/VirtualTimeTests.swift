import Testing
import WireSystem

@testable import WireIO

@Suite struct VirtualTimeTests {
  let time = VirtualTime()

  /// Runs a loop with virtual time.
  private func withLoop(_ body: (EventLoop) async -> Void) async throws {
    let loop = try EventLoop.start(name: "virtual", virtualTime: time)
    await body(loop)
    loop.stop()
  }

  /// Moves from timer to timer. Returns the times since the start at which timers were due.
  private func advance(_ loop: EventLoop, by duration: Duration) async -> [Duration] {
    let start = time.now
    var times: [Duration] = []
    while let next = await time.idle(loop), next <= start + duration {
      times.append(next - start)
      time.advance(to: next)
    }
    time.advance(to: start + duration)
    return times
  }

  @Test func anHourOfTimersTakesNoTime() async throws {
    let fired = Locked([Duration]())
    let start = time.now
    try await withLoop { loop in
      loop.execute {
        for seconds in [1, 1800, 3600, 3601] {
          loop.schedule(at: start + .seconds(seconds)) {
            fired.withLock { $0.append(loop.now - start) }
          }
        }
      }
      let times = await advance(loop, by: .seconds(3600))
      #expect(times == [1, 1800, 3600].map { .seconds($0) })
    }
    #expect(fired.withLock { $0 } == [1, 1800, 3600].map { .seconds($0) })
  }

  @Test func anIdleLoopHasDoneAllThatFollowsFromATimer() async throws {
    let count = Locked(0)
    let start = time.now
    try await withLoop { loop in
      @Sendable func work(_ left: Int) {
        guard left > 0 else { return count.withLock { $0 += 1 } }
        loop.schedule(after: .zero) { loop.execute { work(left - 1) } }
      }
      loop.execute { loop.schedule(at: start + .seconds(5)) { work(100) } }
      _ = await advance(loop, by: .seconds(5))
      #expect(count.withLock { $0 } == 1)
    }
  }

  @Test func timeStandsStillByItself() async throws {
    let start = time.now
    try await withLoop { loop in
      let isOnTime = await withCheckedContinuation { continuation in
        loop.execute {
          loop.schedule(after: .seconds(1)) { Issue.record("nobody has advanced the time") }
          loop.schedule(after: .zero) { continuation.resume(returning: loop.now == start) }
        }
      }
      #expect(isOnTime)
    }
  }

  @Test func timeNeverGoesBack() {
    let later = time.now + .seconds(10)
    time.advance(to: later)
    time.advance(to: later - .seconds(5))
    #expect(time.now == later)
  }
}
