import Testing

@testable import WireTLS

@Suite struct PostHandshakeBudgetTests {
  private let start = ContinuousClock.now

  private func budget(charged count: Int) -> PostHandshakeBudget {
    var budget = PostHandshakeBudget(now: start)
    for _ in 0..<count { budget.charge() }
    return budget
  }

  @Test func aFloodExhaustsIt() {
    var few = budget(charged: PostHandshakeBudget.burst)
    #expect(!few.isExhausted { start })
    var many = budget(charged: PostHandshakeBudget.burst + 1)
    #expect(many.isExhausted { start })
  }

  @Test func timeRestoresIt() {
    var budget = budget(charged: PostHandshakeBudget.burst + 1)
    #expect(!budget.isExhausted { start + .seconds(1) })
    budget.charge()
    #expect(budget.isExhausted { start + .seconds(1) })
    #expect(!budget.isExhausted { start + .seconds(3600) })
    for _ in 0...PostHandshakeBudget.burst { budget.charge() }
    #expect(budget.isExhausted { start + .seconds(3600) })
  }

  @Test func theClockIsReadOnlyWhenItIsUsedUp() {
    var budget = budget(charged: PostHandshakeBudget.burst)
    #expect(
      !budget.isExhausted {
        Issue.record("the clock was read")
        return start
      })
  }
}
