import WireIO

// How long a connection without calls is kept.

extension Connection {
  /// Closes when there has been no call for as long as the configuration says. The timer is not moved
  /// with every call: it looks when the last one ended.
  func watchIdleness() {
    guard idleTimer == nil, let timeout = context.idleTimeout,
      let deadline = machine.idleDeadline(timeout)
    else { return }
    idleTimer = context.loop.schedule(at: deadline) { [self] in
      idleTimer = nil
      if let deadline = machine.idleDeadline(timeout), deadline <= .now {
        close("no call for \(timeout)")
      } else {
        watchIdleness()
      }
    }
  }
}
