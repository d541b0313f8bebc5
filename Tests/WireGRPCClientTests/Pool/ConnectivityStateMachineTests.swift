import Testing

@testable import WireGRPC
@testable import WireGRPCClient

@Suite struct ConnectivityStateMachineTests {
  private let start = ContinuousClock.now
  private let error = CallError(code: .unavailable, message: "refused", origin: .transport)

  private func text(_ action: ConnectivityStateMachine.CallAction) -> String {
    switch action {
    case .queue(let connect): connect ? "connect" : "queue"
    case .fail(let error): "fail \(error.message)"
    }
  }

  @Test func firstCallConnectsAndOthersWait() {
    var machine = ConnectivityStateMachine(failsFast: false)
    check(text(machine.callArrived(waitForReady: false, now: start)), "connect")
    check(text(machine.callArrived(waitForReady: false, now: start)), "queue")
    machine.connectionReady()
    check(text(machine.callArrived(waitForReady: false, now: start)), "queue")
  }

  @Test func keepsAFailureUntilTheBackoffEnds() throws {
    var machine = ConnectivityStateMachine(failsFast: false)
    _ = machine.callArrived(waitForReady: false, now: start)
    let later = start + .milliseconds(300)
    let first = machine.connectionFailed(error, now: later, random: 0.5)
    let retry = try #require(first)
    // The delay counts from the start of the attempt, not from its failure.
    #expect(retry == start + .seconds(1))
    check(text(machine.callArrived(waitForReady: false, now: later)), "fail refused")
    check(text(machine.callArrived(waitForReady: true, now: later)), "queue")
    check(machine.backoffEnded(callsWait: true, now: retry), true)
    check(text(machine.callArrived(waitForReady: false, now: retry)), "queue")

    let next = machine.connectionFailed(error, now: retry, random: 0.5)
    let second = try #require(next)
    #expect(second == retry + .seconds(1.6))
    check(machine.backoffEnded(callsWait: false, now: second), false)
    check(text(machine.callArrived(waitForReady: false, now: second)), "connect")
  }

  @Test func redialsAtOnceAfterALongAttempt() throws {
    var machine = ConnectivityStateMachine(failsFast: false)
    _ = machine.callArrived(waitForReady: false, now: start)
    let later = start + .seconds(20)
    check(machine.connectionFailed(error, now: later, random: 0.5), later)
  }

  @Test func readyConnectionResetsTheBackoff() throws {
    var machine = ConnectivityStateMachine(failsFast: false)
    _ = machine.callArrived(waitForReady: false, now: start)
    let first = machine.connectionFailed(error, now: start, random: 0.5)
    let retry = try #require(first)
    _ = machine.backoffEnded(callsWait: true, now: retry)
    machine.connectionReady()
    check(machine.connectionLost(callsWait: true, wasUseful: true, now: retry), .connect)
    check(machine.connectionFailed(error, now: retry, random: 0.5), retry + .seconds(1))
  }

  @Test func failFastNeverWaits() {
    var machine = ConnectivityStateMachine(failsFast: true)
    for _ in 0..<3 {
      check(text(machine.callArrived(waitForReady: false, now: start)), "connect")
      check(machine.connectionFailed(error, now: start, random: 0.5), nil)
    }
  }

  @Test func replacesAClosedConnectionIfCallsWait() {
    var machine = ConnectivityStateMachine(failsFast: false)
    _ = machine.callArrived(waitForReady: false, now: start)
    machine.connectionReady()
    check(machine.connectionLost(callsWait: false, wasUseful: true, now: start), .none)
    check(text(machine.callArrived(waitForReady: false, now: start)), "connect")
    machine.connectionReady()
    check(machine.connectionLost(callsWait: true, wasUseful: true, now: start), .connect)
  }

  @Test func limitsReplacementsOfUselessConnections() {
    var machine = ConnectivityStateMachine(failsFast: false)
    _ = machine.callArrived(waitForReady: false, now: start)
    for _ in 0..<3 {
      machine.connectionReady()
      check(machine.connectionLost(callsWait: true, wasUseful: false, now: start), .connect)
    }
    machine.connectionReady()
    check(machine.connectionLost(callsWait: true, wasUseful: true, now: start), .connect)
    for _ in 0..<3 {
      machine.connectionReady()
      check(machine.connectionLost(callsWait: true, wasUseful: false, now: start), .connect)
    }
    machine.connectionReady()
    check(machine.connectionLost(callsWait: true, wasUseful: false, now: start), .fail)
    check(machine.connectionFailed(error, now: start, random: 0.5) != nil, true)
  }

  @Test func ignoresEventsAfterShutdown() {
    var machine = ConnectivityStateMachine(failsFast: false)
    _ = machine.callArrived(waitForReady: false, now: start)
    machine.shutDown()
    machine.connectionReady()
    check(machine.isShutdown, true)
    check(machine.connectionLost(callsWait: true, wasUseful: true, now: start), .none)
    check(machine.connectionFailed(error, now: start, random: 0), nil)
    let late = text(machine.callArrived(waitForReady: true, now: start))
    #expect(late == "fail the channel is closed")
  }

  @Test func usesTheDialInProgress() {
    var machine = ConnectivityStateMachine(failsFast: false)
    _ = machine.callArrived(waitForReady: false, now: start)
    machine.connectionReady()
    let gone = machine.connectionLost(
      callsWait: true, wasUseful: true, isDialing: true, now: start + .seconds(5))
    check(gone, .none)
    check(text(machine.callArrived(waitForReady: false, now: start)), "queue")
    let retry = machine.connectionFailed(error, now: start + .seconds(5), random: 0.5)
    check(retry, start + .seconds(6))
  }

  @Test func uselessConnectionsDoNotResetTheBackoff() {
    var machine = ConnectivityStateMachine(failsFast: false)
    _ = machine.callArrived(waitForReady: true, now: start)
    for _ in 0..<3 {
      machine.connectionReady()
      _ = machine.connectionLost(callsWait: true, wasUseful: false, now: start)
    }
    for delay in [Duration.seconds(1), .seconds(1.6), .seconds(1.6 * 1.6)] {
      machine.connectionReady()
      check(machine.connectionLost(callsWait: true, wasUseful: false, now: start), .fail)
      check(machine.connectionFailed(error, now: start, random: 0.5), start + delay)
      _ = machine.backoffEnded(callsWait: true, now: start)
    }
  }
}
