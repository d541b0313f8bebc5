import Testing

@testable import WireGRPCClient

@Suite struct ConnectionGrowthTests {
  private let start = ContinuousClock.now
  private let requiredWait = ConnectionGrowth.requiredWait

  @Test func growsIfCallsWaitForLong() {
    var growth = ConnectionGrowth(limit: 4)
    check(growth.callsWait(now: start), start + requiredWait)
    check(growth.callsWait(now: start + .milliseconds(20)), start + requiredWait)
    check(growth.timerFired(now: start + .milliseconds(20)), false)
    check(growth.timerFired(now: start + requiredWait), true)
    // The next connection needs another wait.
    check(growth.timerFired(now: start + requiredWait * 3), false)
    check(growth.callsWait(now: start + requiredWait * 3), start + requiredWait * 4)
  }

  @Test func doesNotGrowIfTheQueueEmpties() {
    var growth = ConnectionGrowth(limit: 4)
    _ = growth.callsWait(now: start)
    growth.callsAreServed()
    check(growth.timerFired(now: start + requiredWait), false)
    check(growth.callsWait(now: start + requiredWait), start + requiredWait * 2)
  }

  @Test func spacesFailuresByBackoff() {
    var growth = ConnectionGrowth(limit: 4)
    var now = start
    for delay in [Duration.seconds(1), .seconds(1.6), .seconds(1.6 * 1.6)] {
      _ = growth.callsWait(now: now)
      let opened = growth.callsWait(now: now)
      check(growth.timerFired(now: opened), true)
      growth.connectionFailed(now: opened + .milliseconds(10), random: 0.5)
      now = opened + .milliseconds(20)
      // The delay counts from the start of the attempt.
      check(growth.callsWait(now: now), opened + delay)
      check(growth.timerFired(now: opened + delay - .milliseconds(1)), false)
      now = opened + delay
    }
    growth.connectionServed()
    growth.callsAreServed()
    check(growth.callsWait(now: now), now + requiredWait)
  }
}
