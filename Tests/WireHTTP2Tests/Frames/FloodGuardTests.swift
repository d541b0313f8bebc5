import TestSupport
import Testing

@testable import WireHTTP2

@Suite struct FloodGuardTests {
  @Test func theBurstIsFreeAndNoMore() {
    let start = ContinuousClock.now
    var guardian = FloodGuard(now: start)
    for _ in 0..<FloodGuard.burst { guardian.charge() }
    #expect(!guardian.isExhausted { start })
    guardian.charge()
    #expect(guardian.isExhausted { start })
  }

  @Test func progressPaysForSomeFrames() {
    let start = ContinuousClock.now
    var guardian = FloodGuard(now: start)
    for _ in 0..<FloodGuard.burst { guardian.charge() }
    guardian.earn()
    for _ in 0..<FloodGuard.progressEarns { guardian.charge() }
    #expect(!guardian.isExhausted { start })
    guardian.charge()
    #expect(guardian.isExhausted { start })
  }

  @Test func creditIsNeverAboveTheBurst() {
    let start = ContinuousClock.now
    var guardian = FloodGuard(now: start)
    for _ in 0..<1000 { guardian.earn() }
    guardian.charge(FloodGuard.burst + 1)
    #expect(guardian.isExhausted { start })
  }

  @Test func secondsGiveCreditBackButNotTheSameOnesTwice() {
    let clock = ManualClock()
    var guardian = FloodGuard(now: clock.now)
    guardian.charge(FloodGuard.burst + 1)
    clock.advance(by: .milliseconds(999))
    #expect(guardian.isExhausted { clock.now })
    clock.advance(by: .milliseconds(1))
    #expect(!guardian.isExhausted { clock.now })
    guardian.charge(FloodGuard.refillPerSecond)
    #expect(guardian.isExhausted { clock.now })
    clock.advance(by: .seconds(365 * 86_400))
    #expect(!guardian.isExhausted { clock.now })
    guardian.charge(FloodGuard.burst + 1)
    #expect(guardian.isExhausted { clock.now })
  }

  @Test func theClockIsNotReadWhileThereIsCredit() {
    var guardian = FloodGuard(now: .now)
    guardian.charge()
    #expect(
      !guardian.isExhausted {
        Issue.record("the clock was read")
        return .now
      })
  }
}
