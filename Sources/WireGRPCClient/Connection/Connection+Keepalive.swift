import WireGRPC
import WireHTTP2
import WireIO

// Carries out the actions of ``KeepaliveStateMachine``.

extension Connection {
  /// Watches the peer from now on.
  func watchPeer(_ settings: Keepalive) {
    var machine = KeepaliveStateMachine(settings, now: .now)
    let action = machine.timerFired(hasCalls: self.machine.hasCalls, now: .now)
    keepalive = machine
    perform(action)
  }

  /// Call it when a call has started.
  func wakeKeepalive() {
    guard keepalive?.isResting == true, let action = keepalive?.callStarted(now: .now) else {
      return
    }
    perform(action)
  }

  private func perform(_ action: KeepaliveStateMachine.Action) {
    switch action {
    case .check(let instant):
      checkPeer(at: instant)
    case .ping(let instant):
      session.ping(0)
      scheduleFlush()
      checkPeer(at: instant)
    case .rest:
      break
    case .lose:
      let timeout = keepalive?.timeout ?? .zero
      let text =
        "the connection was lost: the server did not answer a keepalive ping within \(timeout)"
      finish(calls: .transport(.unavailable, text), nil)
    }
  }

  private func checkPeer(at instant: ContinuousClock.Instant) {
    timers.keepalive = context.loop.schedule(at: instant) { [self] in
      timers.keepalive = nil
      if let action = keepalive?.timerFired(hasCalls: machine.hasCalls, now: .now) {
        perform(action)
      }
    }
  }
}
