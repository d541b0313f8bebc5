import TestSupport
import Testing
import WireSystem

private let burst = 10_000
private let refill = 100

@Suite struct AbuseBudgetTests {
  @Test func onlyTheBurstIsFree() {
    let start = ContinuousClock.now
    var budget = AbuseBudget(burst: burst, refillPerSecond: refill, now: start)
    for _ in 0..<burst { budget.charge() }
    #expect(!budget.isExhausted { start })
    budget.charge()
    #expect(budget.isExhausted { start })
  }

  @Test func progressEarnsCredit() {
    let start = ContinuousClock.now
    var budget = AbuseBudget(burst: burst, refillPerSecond: refill, now: start)
    for _ in 0..<burst { budget.charge() }
    budget.earn(4)
    for _ in 0..<4 { budget.charge() }
    #expect(!budget.isExhausted { start })
    budget.charge()
    #expect(budget.isExhausted { start })
  }

  @Test func creditNeverExceedsTheBurst() {
    let start = ContinuousClock.now
    var budget = AbuseBudget(burst: burst, refillPerSecond: refill, now: start)
    for _ in 0..<1000 { budget.earn(4) }
    budget.charge(burst + 1)
    #expect(budget.isExhausted { start })
  }

  @Test func secondsRestoreCreditOnce() {
    let clock = ManualClock()
    var budget = AbuseBudget(burst: burst, refillPerSecond: refill, now: clock.now)
    budget.charge(burst + 1)
    clock.advance(by: .milliseconds(999))
    #expect(budget.isExhausted { clock.now })
    clock.advance(by: .milliseconds(1))
    #expect(!budget.isExhausted { clock.now })
    budget.charge(refill)
    #expect(budget.isExhausted { clock.now })
    clock.advance(by: .seconds(365 * 86_400))
    #expect(!budget.isExhausted { clock.now })
    budget.charge(burst + 1)
    #expect(budget.isExhausted { clock.now })
  }

  @Test func clockIsNotReadWhileThereIsCredit() {
    var budget = AbuseBudget(burst: burst, refillPerSecond: refill, now: .now)
    budget.charge()
    #expect(
      !budget.isExhausted {
        Issue.record("the clock was read")
        return .now
      })
  }
}
