import Testing

@testable import WireGRPCClient

@Suite struct KeepaliveStateMachineTests {
  private let start = ContinuousClock.now

  private func machine(withoutCalls: Bool = false) -> KeepaliveStateMachine {
    let settings = Keepalive(
      time: .seconds(30), timeout: .seconds(20), withoutCalls: withoutCalls)
    return KeepaliveStateMachine(settings, now: start)
  }

  private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func countsSilenceFromTheLastReceivedByte() {
    var machine = machine()
    check(machine.timerFired(hasCalls: true, now: start), .check(at: at(30)))
    machine.bytesReceived(now: at(10))
    machine.bytesReceived(now: at(29))
    check(machine.timerFired(hasCalls: true, now: at(30)), .check(at: at(59)))
    check(machine.timerFired(hasCalls: true, now: at(59)), .ping(check: at(79)))
    // The answer arrives after 5 s: the next ping is due 30 s later, not 30 s after the ping.
    machine.bytesReceived(now: at(64))
    check(machine.timerFired(hasCalls: true, now: at(79)), .check(at: at(94)))
    check(machine.timerFired(hasCalls: true, now: at(94)), .ping(check: at(114)))
  }

  @Test func silentPeerIsLost() {
    var machine = machine()
    check(machine.timerFired(hasCalls: true, now: at(30)), .ping(check: at(50)))
    // An extra timer has no effect.
    check(machine.timerFired(hasCalls: true, now: at(40)), .check(at: at(50)))
    check(machine.timerFired(hasCalls: true, now: at(50)), .lose)
  }

  @Test func doesNotPingWithoutCalls() {
    var machine = machine()
    check(machine.timerFired(hasCalls: false, now: at(30)), .rest)
    check(machine.isResting, true)
    // A call after a long silence: check that the peer is still there.
    check(machine.callStarted(now: at(300)), .ping(check: at(320)))
    check(machine.isResting, false)
  }

  @Test func doesNotPingAfterAShortSilence() {
    var machine = machine()
    check(machine.timerFired(hasCalls: false, now: at(30)), .rest)
    machine.bytesReceived(now: at(40))
    check(machine.callStarted(now: at(45)), .check(at: at(70)))
  }

  @Test func silentPeerIsLostAfterItsCallsEnded() {
    var machine = machine()
    check(machine.timerFired(hasCalls: true, now: at(30)), .ping(check: at(50)))
    check(machine.timerFired(hasCalls: false, now: at(50)), .lose)
  }

  @Test func pingsWithoutCallsIfConfigured() {
    var machine = machine(withoutCalls: true)
    for second in stride(from: 30, to: 300, by: 50) {
      check(machine.timerFired(hasCalls: false, now: at(second)), .ping(check: at(second + 20)))
      machine.bytesReceived(now: at(second + 20))
      let next = machine.timerFired(hasCalls: false, now: at(second + 20))
      check(next, .check(at: at(second + 50)))
    }
  }

  @Test func countsSilenceFromTheAcknowledgmentWithALongTimeout() {
    let settings = Keepalive(time: .seconds(10), timeout: .seconds(20))
    var machine = KeepaliveStateMachine(settings, now: start)
    check(machine.timerFired(hasCalls: true, now: at(10)), .ping(check: at(20)))
    machine.bytesReceived(now: at(11))
    check(machine.timerFired(hasCalls: true, now: at(20)), .check(at: at(21)))
    check(machine.timerFired(hasCalls: true, now: at(21)), .ping(check: at(31)))
    // No further answer.
    check(machine.timerFired(hasCalls: true, now: at(31)), .check(at: at(41)))
    check(machine.timerFired(hasCalls: true, now: at(41)), .lose)
  }
}
