import Testing
import WireGRPC

@Suite struct ConnectionStateMachineTests {
  /// A machine whose peer allows so many streams.
  private func ready(_ maxConcurrentStreams: Int = 2) -> ConnectionStateMachine {
    var machine = ConnectionStateMachine()
    check(machine.transportConnected(usesTLS: false), .startHTTP2)
    check(machine.settingsReceived(maxConcurrentStreams: maxConcurrentStreams), .becomeReady)
    return machine
  }

  @Test func tlsComesBeforeHTTP2() {
    var machine = ConnectionStateMachine()
    check(machine.transportConnected(usesTLS: true), .startTLS)
    check(machine.phase, .securing)
    check(machine.tlsEstablished(), .startHTTP2)
    check(machine.capacity, 0)
    check(machine.settingsReceived(maxConcurrentStreams: 1), .becomeReady)
    check(machine.capacity, 1)
  }

  @Test(arguments: [true, false]) func aTunnelComesBeforeTLS(usesTLS: Bool) {
    var machine = ConnectionStateMachine()
    check(machine.tunnelOpened(usesTLS: usesTLS), .none)
    check(machine.transportConnected(usesProxy: true, usesTLS: usesTLS), .openTunnel)
    check(machine.phase, .tunnelling)
    check(machine.tlsEstablished(), .none)
    check(machine.tunnelOpened(usesTLS: usesTLS), usesTLS ? .startTLS : .startHTTP2)
    check(machine.phase, usesTLS ? .securing : .settling)
  }

  @Test func aTunnelMayTakeTooLong() {
    var machine = ConnectionStateMachine()
    check(machine.transportConnected(usesProxy: true, usesTLS: true), .openTunnel)
    check(machine.connectTimerFired(), .timeOut(.tunnelling))
    check(machine.phase, .closed)
  }

  @Test func capacityIsWhatThePeerAllows() {
    var machine = ready(2)
    machine.callStarted()
    machine.callStarted()
    check(machine.capacity, 0)
    check(machine.callEnded(), .takeCalls)
    check(machine.capacity, 1)
    check(machine.settingsReceived(maxConcurrentStreams: 0), .takeCalls)
    check(machine.capacity, 0)
    check(machine.settingsReceived(maxConcurrentStreams: 5), .takeCalls)
    check(machine.capacity, 4)
  }

  @Test func twoPhaseGoAway() {
    var machine = ready()
    machine.callStarted()
    check(machine.leave(), .leave)
    check(machine.capacity, 0)
    check(machine.leave(), .none)
    check(machine.callEnded(), .close)
    check(machine.phase, .closed)
  }

  @Test func goAwayWithoutCalls() {
    var machine = ready()
    check(machine.leave(), .close)
  }

  @Test func goAwayBeforeItIsReady() {
    var machine = ConnectionStateMachine()
    _ = machine.transportConnected(usesTLS: false)
    check(machine.leave(), .close)
    check(machine.settingsReceived(maxConcurrentStreams: 1), .none)
  }

  @Test func theTimerCountsOnlyBeforeItIsReady() {
    var machine = ConnectionStateMachine()
    _ = machine.transportConnected(usesTLS: true)
    check(machine.connectTimerFired(), .timeOut(.securing))
    check(machine.connectTimerFired(), .none)
    var other = ready()
    check(other.connectTimerFired(), .none)
    check(other.phase, .ready)
  }

  @Test func nothingHappensAfterTheEnd() {
    var machine = ready()
    machine.callStarted()
    machine.lost()
    check(machine.callEnded(), .none)
    check(machine.leave(), .none)
    check(machine.settingsReceived(maxConcurrentStreams: 1), .none)
    check(machine.transportConnected(usesTLS: false), .none)
    check(machine.tlsEstablished(), .none)
    check(machine.capacity, 0)
  }
}
