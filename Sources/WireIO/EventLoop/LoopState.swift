/// What only the loop's own thread touches.
final class LoopState {
  let watches = PollSet()
  var timers = TimerHeap()
  /// The jobs being run; its storage is swapped with the queue's, so neither is allocated anew.
  var jobs: [LoopJob] = []
  var endOfRound: [() -> Void] = []

  /// Runs what was asked for up to now; what that asks for in turn is for the end of this round too.
  func runEndOfRound() {
    while !endOfRound.isEmpty {
      let bodies = endOfRound
      endOfRound = []
      for body in bodies { body() }
    }
  }

  /// For poll(2): rounded up, so as not to wake early; -1 when there is no timer.
  ///
  /// At most a minute: poll's clock stands still while the machine sleeps, that of the timers goes
  /// on (and a minute fits an `Int32`).
  func millisecondsToNextTimer() -> Int32 {
    guard let next = timers.next() else { return -1 }
    let left = ContinuousClock.now.duration(to: next)
    if left <= .zero { return 0 }
    if left >= .seconds(60) { return 60_000 }
    let (seconds, attoseconds) = left.components
    return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Fires what is due.
  ///
  /// A timer may add timers, and one that is due already would be fired here too; the limit bounds
  /// that, so that a timer which always adds another cannot keep the loop from its sockets.
  func fireTimers(now: ContinuousClock.Instant) {
    var limit = timers.count
    while limit > 0, let timer = timers.popDue(now: now) {
      limit -= 1
      timer.fire()
    }
  }

  func cancelAll() {
    watches.removeAll()
    for timer in timers.removeAll() { timer.cancel() }
    endOfRound = []
  }
}
