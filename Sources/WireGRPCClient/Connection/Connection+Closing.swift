import WireGRPC
import WireHTTP2
import WireIO
import WireTransport

// The end of a connection, and its idle timeout.

extension Connection {
  /// Accepts no more calls, and closes after the last.
  func leave() {
    perform(machine.leave())
  }

  func close(_ reason: String) {
    handler(self, .draining)
    session.goAway()
    finish(calls: .transport(.unavailable, reason), nil)
  }

  /// Closes at once. Its calls fail, and the peer is notified of each.
  func abort(_ error: CallError) {
    if !streams.calls.isEmpty {
      for id in streams.calls.keys { session.reset(id, errorCode: .cancel) }
      session.goAway()
    }
    finish(calls: error, nil)
  }

  func finish(calls error: CallError, _ failure: ConnectionFailure?) {
    guard let stream else { return }
    self.stream = nil
    let wasConnected = machine.phase != .connecting
    machine.lost()
    timers.cancel()
    stream.close()
    let error = goAwayReason.map { error.adding(", after the server's \($0)") } ?? error
    for (id, call) in streams.takeAll() where call.isAt(self, id) {
      if id > session.lastOpenedStream, call.requeue() {
        if error.connectionFailure == nil {
          pendingEvents.unprocessed.append(call)
        } else {
          // Another connection would end in the same way.
          fail(call, error)
        }
      } else {
        perform(call.withMachine { $0.connectionLost(error) }, on: call, id)
      }
    }
    let reason = failure?.detail ?? error.message
    if goAwayReason == nil { goAwayReason = reason }
    if wasConnected { context.trace(.closed(reason: reason)) }
    if machine.hasBeenReady {
      context.metrics?(
        .connectionClosed(
          address: address.description, reason: reason, after: ContinuousClock.now - started))
    }
    reportNotices()
    handler(self, .closed(failure))
  }

  /// Closes when there has been no call for the configured time. A call does not move the timer, which
  /// checks the end of the last call when it fires.
  func watchIdleness() {
    guard timers.idle == nil, let timeout = context.idleTimeout,
      let deadline = machine.idleDeadline(timeout)
    else { return }
    timers.idle = context.loop.schedule(at: deadline) { [self] in
      timers.idle = nil
      if let deadline = machine.idleDeadline(timeout), deadline <= .now {
        close("no call for \(timeout)")
      } else {
        watchIdleness()
      }
    }
  }
}
