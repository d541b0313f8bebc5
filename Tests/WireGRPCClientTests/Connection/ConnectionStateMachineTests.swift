import Testing

@testable import WireGRPCClient

@Suite struct ConnectionStateMachineTests {
  private let start = ContinuousClock.now

  /// Returns a machine whose peer allows this many streams.
  private func ready(_ maxConcurrentStreams: Int = 2) -> ConnectionStateMachine {
    var machine = ConnectionStateMachine()
    check(machine.transportConnected(usesTLS: false), .startHTTP2)
    check(
      machine.settingsReceived(maxConcurrentStreams: maxConcurrentStreams, now: start), .becomeReady
    )
    return machine
  }

  @Test func tlsComesBeforeHTTP2() {
    var machine = ConnectionStateMachine()
    check(machine.transportConnected(usesTLS: true), .none)
    check(machine.phase, .securing)
    check(machine.tlsEstablished(), .startHTTP2)
    check(machine.capacity, 0)
    check(machine.settingsReceived(maxConcurrentStreams: 1, now: start), .becomeReady)
    check(machine.capacity, 1)
  }

  @Test(arguments: [true, false]) func tunnelComesBeforeTLS(usesTLS: Bool) {
    var machine = ConnectionStateMachine()
    check(machine.tunnelOpened(usesTLS: usesTLS), .none)
    check(machine.transportConnected(usesProxy: true, usesTLS: usesTLS), .none)
    check(machine.phase, .tunneling)
    check(machine.tlsEstablished(), .none)
    check(machine.tunnelOpened(usesTLS: usesTLS), usesTLS ? .none : .startHTTP2)
    check(machine.phase, usesTLS ? .securing : .settling)
  }

  @Test func tunnelTimesOut() {
    var machine = ConnectionStateMachine()
    check(machine.transportConnected(usesProxy: true, usesTLS: true), .none)
    check(machine.connectTimerFired(), .timeOut(.tunneling))
    check(machine.phase, .closed)
  }

  @Test func capacityFollowsThePeersLimit() {
    var machine = ready(2)
    machine.callStarted()
    machine.callStarted()
    check(machine.capacity, 0)
    check(machine.callEnded(now: start), .takeCalls)
    check(machine.capacity, 1)
    check(machine.settingsReceived(maxConcurrentStreams: 0, now: start), .takeCalls)
    check(machine.capacity, 0)
    check(machine.settingsReceived(maxConcurrentStreams: 5, now: start), .takeCalls)
    check(machine.capacity, 4)
  }

  @Test func pauseKeepsCurrentCalls() {
    var machine = ready(3)
    for _ in 0..<3 { machine.callStarted() }
    machine.pause()
    machine.pause()
    check(machine.callEnded(now: start), .takeCalls)
    check(machine.capacity, 0)
    check(machine.settingsReceived(maxConcurrentStreams: 9, now: start), .takeCalls)
    check(machine.capacity, 0)
    check(machine.callEnded(now: start), .takeCalls)
    check(machine.capacity, 1)
    check(machine.resume(), .takeCalls)
    check(machine.capacity, 8)
  }

  @Test func pauseEndsWithItsConnection() {
    var machine = ready(1)
    machine.callStarted()
    machine.pause()
    check(machine.leave(), .leave)
    check(machine.resume(), .none)
    check(machine.capacity, 0)
  }

  @Test func secondGoAwayOfAGracefulShutdownIsIgnored() {
    var machine = ready()
    machine.callStarted()
    check(machine.leave(), .leave)
    check(machine.capacity, 0)
    check(machine.leave(), .none)
    check(machine.callEnded(now: start), .close)
    check(machine.phase, .closed)
  }

  @Test func goAwayWithoutCallsClosesTheConnection() {
    var machine = ready()
    check(machine.leave(), .close)
  }

  @Test func goAwayBeforeReadinessClosesTheConnection() {
    var machine = ConnectionStateMachine()
    _ = machine.transportConnected(usesTLS: false)
    check(machine.leave(), .close)
    check(machine.settingsReceived(maxConcurrentStreams: 1, now: start), .none)
  }

  @Test func connectTimerCountsOnlyBeforeReadiness() {
    var machine = ConnectionStateMachine()
    _ = machine.transportConnected(usesTLS: true)
    check(machine.connectTimerFired(), .timeOut(.securing))
    check(machine.connectTimerFired(), .none)
    var other = ready()
    check(other.connectTimerFired(), .none)
    check(other.phase, .ready)
  }

  @Test func ignoresEventsAfterTheEnd() {
    var machine = ready()
    machine.callStarted()
    machine.lost()
    check(machine.callEnded(now: start), .none)
    check(machine.leave(), .none)
    check(machine.settingsReceived(maxConcurrentStreams: 1, now: start), .none)
    check(machine.transportConnected(usesTLS: false), .none)
    check(machine.tlsEstablished(), .none)
    check(machine.capacity, 0)
  }

  @Test func idleTimeStartsAtTheEndOfTheLastCall() {
    let timeout = Duration.seconds(60)
    var machine = ConnectionStateMachine()
    check(machine.idleDeadline(timeout), nil)
    _ = machine.transportConnected(usesTLS: false)
    check(machine.idleDeadline(timeout), nil)
    _ = machine.settingsReceived(maxConcurrentStreams: 2, now: start)
    check(machine.idleDeadline(timeout), start + timeout)
    _ = machine.settingsReceived(maxConcurrentStreams: 3, now: start + .seconds(1))
    check(machine.idleDeadline(timeout), start + timeout)
    machine.callStarted()
    machine.callStarted()
    check(machine.idleDeadline(timeout), nil)
    _ = machine.callEnded(now: start + .seconds(50))
    check(machine.idleDeadline(timeout), nil)
    _ = machine.callEnded(now: start + .seconds(100))
    check(machine.idleDeadline(timeout), start + .seconds(160))
    machine.lost()
    check(machine.idleDeadline(timeout), nil)
  }

  @Test func connectionIsFullOnlyWithCalls() {
    var machine = ready(1)
    check(machine.isFull, false)
    machine.callStarted()
    check(machine.isFull, true)
    _ = machine.callEnded(now: start)
    check(machine.isFull, false)
    _ = machine.settingsReceived(maxConcurrentStreams: 0, now: start)
    check(machine.isFull, false)
  }
}
