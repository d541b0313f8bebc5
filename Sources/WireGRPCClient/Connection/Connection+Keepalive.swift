import WireGRPC
import WireHTTP2
import WireIO

// Carries out what ``KeepaliveStateMachine`` says.

extension Connection {
  /// Has the peer watched from now on.
  func watchPeer(_ settings: Keepalive) {
    var machine = KeepaliveStateMachine(settings, now: .now)
    let action = machine.timerFired(hasCalls: self.machine.hasCalls, now: .now)
    keepalive = machine
    keepaliveTimeout = settings.timeout
    perform(action)
  }

  /// To be called when a call has started.
  func wakeKeepalive() {
    guard keepalive?.isResting == true, let action = keepalive?.callStarted(now: .now) else {
      return
    }
    perform(action)
  }

  private func perform(_ action: KeepaliveStateMachine.Action) {
    switch action {
    case .check(let instant):
      lookAtPeer(at: instant)
    case .ping(let instant):
      session.ping(0)
      scheduleFlush()
      lookAtPeer(at: instant)
    case .rest:
      break
    case .lose:
      let text =
        "the connection was lost: the server did not answer a keepalive ping within "
        + "\(keepaliveTimeout)"
      finish(calls: .transport(.unavailable, text), nil)
    }
  }

  private func lookAtPeer(at instant: ContinuousClock.Instant) {
    keepaliveTimer = context.loop.schedule(at: instant) { [self] in
      keepaliveTimer = nil
      if let action = keepalive?.timerFired(hasCalls: machine.hasCalls, now: .now) {
        perform(action)
      }
    }
  }
}
